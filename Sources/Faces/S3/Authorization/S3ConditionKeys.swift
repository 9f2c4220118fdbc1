import Calls
import Cloud
import Federation
import HTTPTypes
import Policy
import RequestSigning
import WireFormats

/// The condition keys of S3 in one request, computed when a policy uses them.
/// (Service Authorization Reference, "Condition keys for Amazon S3".)
///
/// It holds values instead of the call, because the call's journal entry holds it to explain the decision.
struct S3ConditionKeys: Sendable {
    var action: S3Action
    var method: HTTPRequest.Method
    var headers: HTTPFields
    var query: FormFields
    /// The location of the signature in the request; `nil` for an anonymous one.
    var place: SignaturePlace?
    var version: SignatureVersion?
    /// Milliseconds since the request was signed; `nil` if it has no signing time.
    var age: Int64?
    var received: Timestamp
    var isSecure: Bool
    /// The account that owns the bucket.
    var bucketOwner: String
    /// Tags of the existing object.
    var tags: [Tag]
    /// Tags of the bucket, if policies can refer to them.
    var bucketTags: [Tag] = []
    /// The names of the condition keys for them, up to the key of a tag.
    var bucketTagKeys: [String] = []
    /// Condition keys that only the operation knows; a name with several values occurs once for each. They override all other sources.
    var operation: [OperationKey]

    /// Returns the values of a key; nil if the request does not have it.
    /// - Parameter key: in lowercase.
    func values(of key: String) -> ConditionValues? {
        for name in bucketTagKeys where key.hasPrefix(name) { return bucketTags.conditionValues(of: key.dropFirst(name.count)) }
        guard key.hasPrefix("s3:") else { return nil }
        let said = operation.filter { $0.name.lowercased() == key }.map(\.value)
        let name = key.dropFirst(3)
        if name == "requestobjecttagkeys" {
            return .many(said.isEmpty ? requestTags.map(\.key) : said)
        }
        if let value = said.first { return .one(value) }
        if let tag = name.afterPrefix("existingobjecttag/") { return tags.conditionValues(of: tag) }
        if let tag = name.afterPrefix("requestobjecttag/") { return requestTags.conditionValues(of: tag) }
        return value(of: name).map { .one($0) }
    }

    private func value(of name: Substring) -> String? {
        switch name {
        case "authtype": return place?.rawValue
        case "signatureversion": return version?.rawValue
        case "signatureage": return age.map(String.init)
        // The oldest version that the listener accepts.
        case "tlsversion": return isSecure ? "1.2" : nil
        case "resourceaccount": return bucketOwner
        case "versionid": return query["versionId"]
        case "prefix": return action.isListing ? query["prefix"] : nil
        case "delimiter": return action.isListing ? query["delimiter"] : nil
        case "max-keys": return action.isListing ? query[action == .listBucketMultipartUploads ? "max-uploads" : "max-keys"] : nil
        case "objectcreationoperation": return action == .putObject ? String(createsObject) : nil
        case "x-amz-copy-source": return copySource
        case "object-lock-remaining-retention-days": return remainingDays
        case "object-lock-mode", "object-lock-legal-hold", "object-lock-retain-until-date": return header("x-amz-\(name)")
        case "if-match", "if-none-match": return header(String(name))
        default: return name.hasPrefix("x-amz-") ? header(String(name)) : nil
        }
    }

    private func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    /// `bucket/key` of the object that the request copies, however the header spells it; `nil` for an invalid header, which is refused.
    /// The version is not part of it: the key restricts the source "to a specific bucket, a specific folder in the bucket, or a specific
    /// object". (S3 User Guide, "Bucket policy examples using condition keys".)
    private var copySource: String? {
        guard let text = headers.value(of: .copySource), let source = try? CopySourceAddress(header: text) else { return nil }
        return "\(source.bucket)/\(source.key)"
    }

    /// Whether the request creates an object, as opposed to a part or an upload.
    private var createsObject: Bool {
        query["uploads"] == nil && (query["uploadId"] == nil || method == .post)
    }

    /// Whole days until the retention date in the headers.
    private var remainingDays: String? {
        guard let until = header("x-amz-object-lock-retain-until-date").flatMap({ Timestamp(iso8601: $0) }) else { return nil }
        return String((until.seconds - received.seconds) / 86_400)
    }

    private var requestTags: [Tag] {
        guard let form = headers[.tagging].flatMap({ FormFields(parsing: $0) }) else { return [] }
        return form.fields.map { Tag(key: $0.name, value: $0.value) }
    }
}

extension Substring {
    fileprivate func afterPrefix(_ prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}

extension [Tag] {
    /// The condition keys of a request that sets these tags in its body.
    var conditionKeys: [OperationKey] {
        map { ("s3:RequestObjectTag/\($0.key)", $0.value) } + map { ("s3:RequestObjectTagKeys", $0.key) }
    }
}
