import Calls
import GatewayFace
import HTTPTypes
import NIOCore
import RequestSigning
import Synchronization
import WireFormats

/// Answers the look-ups of policies as moto does.
///
/// The policies have the names that the look-ups contain: that of a queue or function, the ARN of another resource, and `grants of ARN` for the
/// grants of a key, which are a list.
final class PolicyStub: Sendable {
    private let policies: Mutex<TextDictionary<String>>
    private let names = Mutex<[String]>([])

    init(_ policies: TextDictionary<String>) { self.policies = Mutex(policies) }

    /// The resources whose policies were looked up, in order.
    var lookUps: [String] { names.withLock { $0 } }

    /// Replaces the policy of a resource; `nil` removes it.
    func set(_ policy: String?, of name: String) { policies.withLock { $0[name] = policy } }

    /// Returns the answer to a look-up; `nil` for another request.
    func answer(to order: UpstreamOrder) -> UpstreamAnswer? {
        let target = HTTPField.Name("X-Amz-Target").flatMap { order.request.fields[$0] } ?? ""
        let document = (try? JSONValue(parsing: order.body)) ?? .null
        switch target {
        case "AmazonSQS.GetQueueAttributes" where document["AttributeNames"]?.arrayValue?.first?.stringValue == "Policy":
            let name = document["QueueUrl"]?.stringValue?.split(separator: "/").last.map { String($0) } ?? ""
            guard let policy = policy(of: name) else { return Self.error("AWS.SimpleQueueService.NonExistentQueue") }
            return .json(["Attributes": ["Policy": .string(policy)]])
        case "secretsmanager.GetResourcePolicy":
            return json("ResourcePolicy", document["SecretId"], "ResourceNotFoundException")
        case "DynamoDB_20120810.GetResourcePolicy": return json("Policy", document["ResourceArn"], "PolicyNotFoundException")
        case "TrentService.GetKeyPolicy": return json("Policy", document["KeyId"], "NotFoundException")
        case "TrentService.ListGrants":
            let name = "grants of \(document["KeyId"]?.stringValue ?? "")"
            let text = policies.withLock { $0[name] } ?? "[]"
            let grants = (try? JSONValue(parsing: text)) ?? JSONValue.array([])
            return .json(["Grants": grants, "Truncated": false])
        default: break
        }
        if order.request.method == "GET", order.request.path.hasSuffix("/policy") {
            let segments = order.request.path.split(separator: "/").map { String($0) }
            return json("Policy", .string(segments.dropLast().last ?? ""), "ResourceNotFoundException")
        }
        if let form = FormFields(parsing: order.body), form["Action"] == "GetTopicAttributes" { return topic(form["TopicArn"] ?? "") }
        return nil
    }

    private func policy(of name: String) -> String? {
        names.withLock { $0.append(name) }
        return policies.withLock { $0[name] }
    }

    private func json(_ member: String, _ name: JSONValue?, _ code: String) -> UpstreamAnswer {
        guard let policy = policy(of: name?.stringValue ?? "") else { return Self.error(code) }
        return .json(.object(JSONObject([(member, .string(policy))])))
    }

    private func topic(_ name: String) -> UpstreamAnswer {
        var xml = XMLWriter()
        let policy = policy(of: name)
        xml.element(policy == nil ? "ErrorResponse" : "GetTopicAttributesResponse") { xml in
            guard let policy else {
                xml.element("Error") { xml in xml.element("Code", "NotFound") }
                return
            }
            xml.element("GetTopicAttributesResult") { xml in
                xml.element("Attributes") { xml in
                    xml.element("entry") { xml in
                        xml.element("key", "Policy")
                        xml.element("value", policy)
                    }
                }
            }
        }
        return UpstreamAnswer(status: policy == nil ? .notFound : .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: xml.bytes)))
    }

    private static func error(_ code: String) -> UpstreamAnswer { .json(["__type": .string(code)], status: .badRequest) }
}
