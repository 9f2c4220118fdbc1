import HTTPTypes
package import Policy
import WireFormats

extension ResourceLookUp {
    /// Returns the request for a page of the tags.
    /// - Parameters:
    ///   - origin: the origin of the URLs of queues.
    ///   - marker: where the page begins; `nil` for the first one.
    package func tagsRequest(origin: String, after marker: String? = nil) -> OwnRequest {
        switch service {
        case "sqs":
            return OwnRequest(
                service, json: "AmazonSQS.ListQueueTags", version: "1.0", ["QueueUrl": .string("\(origin)/\(account)/\(name)")])
        case "sns": return OwnRequest(service, form: ["Action": "ListTagsForResource", "Version": "2010-03-31", "ResourceArn": holder])
        case "secretsmanager":
            return OwnRequest(service, json: "secretsmanager.DescribeSecret", version: "1.1", ["SecretId": .string(holder)])
        case "dynamodb":
            var document: JSONObject = ["ResourceArn": .string(holder)]
            if let marker { document["NextToken"] = .string(marker) }
            return OwnRequest(service, json: "DynamoDB_20120810.ListTagsOfResource", version: "1.0", .object(document))
        case "lambda":
            // Functions have tags, but neither versions nor aliases do. (Lambda API Reference, "ListTags".)
            let function = "arn:aws:lambda:\(region):\(account):function:\(name)"
            return OwnRequest(service, get: "/2017-03-31/tags/\(percentEncoded(function))", operation: "ListTags")
        default:
            var document: JSONObject = ["KeyId": .string(holder)]
            if let marker { document["Marker"] = .string(marker) }
            return OwnRequest(service, json: "TrentService.ListResourceTags", version: "1.1", .object(document))
        }
    }

    /// Returns the tags in an answer, and where the next page begins; none if the resource does not exist.
    /// - Throws: ``UpstreamFailure`` for an answer that does not say which tags there are.
    package func tags(in answer: OwnAnswer) throws(UpstreamFailure) -> (tags: [Tag], next: String?) {
        guard answer.isSuccessful else {
            if answer.isAbsence { return ([], nil) }
            throw UpstreamFailure("the request for the tags of \(holder) was answered with \(answer.status.code)")
        }
        if service == "sns" {
            guard let root = answer.xml else { throw unreadable }
            let members = root.child("ListTagsForResourceResult")?.child("Tags")?.children(named: "member") ?? []
            let tags = members.map { Tag(key: $0.child("Key")?.text ?? "", value: $0.child("Value")?.text ?? "") }
            return (tags, nil)
        }
        guard let document = answer.json.objectValue else { throw unreadable }
        let next = document["NextToken"]?.stringValue ?? document["NextMarker"]?.stringValue
        if let map = document["Tags"]?.objectValue {
            return (map.members.map { Tag(key: $0.name, value: $0.value.stringValue ?? "") }, nil)
        }
        let tags = (document["Tags"]?.arrayValue ?? []).map { (tag: JSONValue) -> Tag in
            Tag(
                key: (tag["Key"] ?? tag["TagKey"])?.stringValue ?? "", value: (tag["Value"] ?? tag["TagValue"])?.stringValue ?? "")
        }
        return (tags, next)
    }
}
