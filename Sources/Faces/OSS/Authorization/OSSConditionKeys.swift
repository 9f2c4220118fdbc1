import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore
import Policy
import WireFormats

/// The condition keys of a request to OSS, computed when a policy uses them. They hold values instead of the request, because the journal
/// keeps them to explain the decision. (OSS User Guide, "Policy syntax and elements", Condition.)
struct OSSConditionKeys: Sendable {
    private let accessKey: String?
    private let isListing: Bool
    private let prefix: String
    private let delimiter: String
    private let bucketACL: String?
    private let objectACL: String?
    private let objectTags: [Tag]
    private let bucketTags: [Tag]
    private let retentionDays: Int64?

    /// Collects the values from a request.
    /// - Parameter isListing: whether the action lists keys, so that it has a prefix and a delimiter.
    init(_ request: OSSRequest, _ bucket: Bucket, object: ObjectRecord?, isListing: Bool) {
        accessKey = request.authenticated?.accessKey
        self.isListing = isListing
        prefix = request.query["prefix"] ?? ""
        delimiter = request.query["delimiter"] ?? ""
        bucketACL = request.headers[.ossACL]
        objectACL = request.headers[.ossObjectACL]
        objectTags = object?.properties.tags ?? []
        bucketTags = bucket.configuration.tags
        retentionDays = object?.properties.lock.retention.map {
            max(0, ($0.until.seconds - request.clock.effective($0.declared).seconds) / 86_400)
        }
    }

    /// Returns the values of a key; `nil` if the request does not have it.
    /// - Parameter key: in lowercase.
    func values(of key: String) -> ConditionValues? {
        switch key {
        case "acs:accessid": return accessKey.map { .one($0) }
        case "oss:prefix": return isListing ? .one(prefix) : nil
        case "oss:delimiter": return isListing ? .one(delimiter) : nil
        case "oss:x-oss-acl": return bucketACL.map { .one($0) }
        case "oss:x-oss-object-acl": return objectACL.map { .one($0) }
        case "oss:object-remaining-retention-days": return retentionDays.map { .one(String($0)) }
        default:
            if key.hasPrefix(Self.objectTag) { return Self.value(of: key.dropFirst(Self.objectTag.count), in: objectTags) }
            if key.hasPrefix(Self.bucketTag) { return Self.value(of: key.dropFirst(Self.bucketTag.count), in: bucketTags) }
            return nil
        }
    }

    private static let objectTag = "oss:existingobjecttag/"
    private static let bucketTag = "oss:buckettag/"

    /// Returns the value of a tag. The names of condition keys are case-insensitive.
    private static func value(of name: Substring, in tags: [Tag]) -> ConditionValues? {
        tags.first { $0.key.lowercased() == name }.map { .one($0.value) }
    }
}
