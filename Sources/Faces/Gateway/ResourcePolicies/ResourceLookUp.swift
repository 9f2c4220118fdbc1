import HTTPTypes
import WireFormats

/// The look-up of a resource's policy, of its grants and of its tags at the service that has it.
package struct ResourceLookUp: Sendable {
    /// The service, as ARNs and credential scopes name it.
    package let service: String
    /// The region of the resource.
    package let region: String
    /// The account that has the resource.
    package let account: String
    /// The ARN of what has the policy: for an index, its table.
    package let holder: String
    /// The name of a queue, topic, table, function or key.
    let name: String
    private let qualifier: String?

    /// Creates the look-up for a resource; `nil` if it cannot have a policy that Virga reads.
    /// - Parameter resource: the text that policies see.
    package init?(_ resource: String) {
        let parts = resource.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 6, parts[0] == "arn", Self.isName(parts[3]), Self.isAccount(parts[4]) else { return nil }
        let found: Holder? =
            switch parts[2] {
            case "sqs", "sns": Self.isName(parts[5]) ? Holder(arn: resource, name: parts[5]) : nil
            case "secretsmanager": Self.secret(resource, parts[5])
            case "dynamodb": Self.table(parts)
            case "lambda": Self.function(resource, parts[5])
            case "kms": Self.key(resource, parts[5])
            default: nil
            }
        guard let found else { return nil }
        service = parts[2]
        region = parts[3]
        account = parts[4]
        holder = found.arn
        name = found.name
        qualifier = found.qualifier
    }

    /// What has a policy.
    private struct Holder {
        let arn: String
        let name: String
        var qualifier: String?
    }

    /// A secret is asked for by its whole ARN. A pattern stands for one that is about to be created.
    private static func secret(_ resource: String, _ text: String) -> Holder? {
        guard text.hasPrefix("secret:"), !text.contains("?"), !text.contains("*") else { return nil }
        return Holder(arn: resource, name: text)
    }

    /// The policy of a table is also about its indexes. A stream has a policy of its own. (DynamoDB Developer Guide, "Using resource-based
    /// policies for DynamoDB".)
    private static func table(_ parts: [String]) -> Holder? {
        let path = parts[5].split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        guard path.count > 1, path[0] == "table", isName(path[1]) else { return nil }
        let prefix = parts[..<5].joined(separator: ":")
        if path.count == 2 || path.count == 4 && path[2] == "index" { return Holder(arn: "\(prefix):table/\(path[1])", name: path[1]) }
        return path.count == 4 && path[2] == "stream" ? Holder(arn: "\(prefix):\(parts[5])", name: path[1]) : nil
    }

    /// Each version and each alias of a function has a policy of its own. (Lambda API Reference, "GetPolicy".)
    private static func function(_ resource: String, _ text: String) -> Holder? {
        let path = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
        guard path.count == 2 || path.count == 3, path[0] == "function", isName(path[1]) else { return nil }
        let qualifier = path.count == 3 ? path[2] : nil
        if let qualifier { guard isName(qualifier) || qualifier == "$LATEST" else { return nil } }
        return Holder(arn: resource, name: path[1], qualifier: qualifier)
    }

    private static func key(_ resource: String, _ text: String) -> Holder? {
        guard text.hasPrefix("key/") else { return nil }
        let name = String(text.dropFirst("key/".count))
        return isName(name) ? Holder(arn: resource, name: name) : nil
    }

    /// Whether a text can be a part of a path or URL as it is.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isPlain($0) }
    }

    /// Whether a byte is a letter, a digit, a hyphen, a dot or an underscore.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }

    private static func isAccount(_ text: String) -> Bool { text.utf8.count == 12 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } }

    /// Whether the policy must allow, whatever other policies allow.
    var isRequired: Bool { service == "kms" }

    /// Whether the resource can have grants.
    var hasGrants: Bool { service == "kms" }

    /// Returns the request for the policy.
    /// - Parameter origin: the origin of the URLs of queues.
    package func request(origin: String) -> OwnRequest {
        switch service {
        case "sqs":
            OwnRequest(
                service, json: "AmazonSQS.GetQueueAttributes", version: "1.0",
                ["QueueUrl": .string("\(origin)/\(account)/\(name)"), "AttributeNames": ["Policy"]])
        case "sns":
            OwnRequest(service, form: ["Action": "GetTopicAttributes", "Version": "2010-03-31", "TopicArn": holder])
        case "secretsmanager":
            OwnRequest(service, json: "secretsmanager.GetResourcePolicy", version: "1.1", ["SecretId": .string(holder)])
        case "dynamodb":
            OwnRequest(service, json: "DynamoDB_20120810.GetResourcePolicy", version: "1.0", ["ResourceArn": .string(holder)])
        case "lambda":
            OwnRequest(
                service,
                get: "/2015-03-31/functions/\(name)/policy" + (qualifier.map { "?Qualifier=\(percentEncoded($0))" } ?? ""),
                operation: "GetPolicy")
        default:
            OwnRequest(
                service, json: "TrentService.GetKeyPolicy", version: "1.1", ["KeyId": .string(holder), "PolicyName": "default"])
        }
    }

    /// Returns the request for a page of the grants.
    /// - Parameter marker: where the page begins; `nil` for the first one.
    package func grantsRequest(after marker: String?) -> OwnRequest {
        var document: JSONObject = ["KeyId": .string(holder), "Limit": 100]
        if let marker { document["Marker"] = .string(marker) }
        return OwnRequest(service, json: "TrentService.ListGrants", version: "1.1", .object(document))
    }

    /// Returns the text of the policy in an answer; `nil` if the resource does not exist or has none.
    /// - Throws: ``UpstreamFailure`` for an answer that does not say whether there is one.
    package func policy(in answer: OwnAnswer) throws(UpstreamFailure) -> String? {
        guard answer.isSuccessful else {
            if answer.isAbsence { return nil }
            throw UpstreamFailure("the request for the policy of \(holder) was answered with \(answer.status.code)")
        }
        guard service == "sns" else {
            guard let document = answer.json.objectValue else { throw unreadable }
            return switch service {
            case "sqs": document["Attributes"]?["Policy"]?.stringValue
            case "secretsmanager": document["ResourcePolicy"]?.stringValue
            default: document["Policy"]?.stringValue
            }
        }
        guard let root = answer.xml else { throw unreadable }
        let entries = root.child("GetTopicAttributesResult")?.child("Attributes")?.children(named: "entry") ?? []
        return entries.first { $0.child("key")?.text == "Policy" }?.child("value")?.text
    }

    /// The failure for an answer that is not a document of the service.
    var unreadable: UpstreamFailure { UpstreamFailure("the answer about \(holder) could not be read") }
}
