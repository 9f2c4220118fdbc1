import Cloud
import Federation
import HTTPTypes
import Policy
import RequestSigning
import WireFormats

/// The condition keys of S3 in one request, computed when a policy asks for them.
/// (Service Authorization Reference, "Condition keys for Amazon S3".)
///
/// It holds values and not the call: the journal, which a call holds, keeps it to explain the decision.
struct S3ConditionKeys: Sendable {
    var action: S3Action
    var method: HTTPRequest.Method
    var headers: HTTPFields
    var query: FormFields
    /// How the request is signed; `nil` for an anonymous one.
    var place: SignaturePlace?
    var version: SignatureVersion?
    /// Milliseconds since it was signed; `nil` if it does not say when.
    var age: Int64?
    var received: Timestamp
    var isSecure: Bool
    /// The account that owns the bucket.
    var bucketOwner: String
    /// Tags of the object that is there.
    var tags: [Tag]
    /// Tags of the bucket, where policies may ask for them: that is Ceph's way alone.
    var bucketTags: [Tag] = []
    /// What the operation itself knows, a name with several values once for each. It comes before everything else.
    var operation: [OperationKey]

    /// Whether a key is not one of S3, or one that there is.
    /// - Parameter key: as a policy spells it.
    static func isKnown(_ key: String) -> Bool {
        let key = key.lowercased()
        guard key.hasPrefix("s3:") else { return true }
        let name = key.dropFirst(3)
        return name.hasPrefix("x-amz-") || name.contains("/") || names.contains(String(name))
    }

    /// Those that are neither named after a header nor end in the key of a tag.
    private static let names: Set = [
        "accessgrantsinstancearn", "accesspointnetworkorigin", "authtype", "dataaccesspointaccount", "dataaccesspointarn", "delimiter",
        "destinationregion", "existingjoboperation", "existingjobpriority", "if-match", "if-none-match",
        "inventoryaccessibleoptionalfields", "isreplicationpauserequest", "jobsuspendedcause", "locationconstraint", "max-keys",
        "object-lock-legal-hold", "object-lock-mode", "object-lock-remaining-retention-days", "object-lock-retain-until-date",
        "objectcreationoperation", "prefix", "requestjoboperation", "requestjobpriority", "requestobjecttagkeys", "resourceaccount",
        "signatureage", "signatureversion", "tlsversion", "versionid",
    ]

    /// The values of a key; nil where the request does not have it.
    /// - Parameter key: in lower case.
    func values(of key: String) -> ConditionValues? {
        guard key.hasPrefix("s3:") else { return nil }
        let said = operation.filter { $0.name.lowercased() == key }.map(\.value)
        let name = key.dropFirst(3)
        if name == "requestobjecttagkeys" {
            return .many(said.isEmpty ? requestTags.map(\.key) : said)
        }
        if let value = said.first { return .one(value) }
        if let tag = name.afterPrefix("existingobjecttag/") { return tags.conditionValues(of: tag) }
        if let tag = name.afterPrefix("resourcetag/") { return bucketTags.conditionValues(of: tag) }
        if let tag = name.afterPrefix("requestobjecttag/") { return requestTags.conditionValues(of: tag) }
        return value(of: name).map { .one($0) }
    }

    private func value(of name: Substring) -> String? {
        switch name {
        case "authtype": return place?.rawValue
        case "signatureversion": return version?.rawValue
        case "signatureage": return age.map(String.init)
        // The oldest that the listener takes.
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

    /// `bucket/key` as the header means it, however it spells it.
    private var copySource: String? {
        guard let source = headers[.copySource], let decoded = percentDecoded(source[...]) else { return nil }
        return decoded.hasPrefix("/") ? String(decoded.dropFirst()) : decoded
    }

    /// Whether the request makes an object, not a part of one or the start of an upload.
    private var createsObject: Bool {
        query["uploads"] == nil && (query["uploadId"] == nil || method == .post)
    }

    /// Whole days until the end of the retention that the headers ask for.
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
