import ObjectServing
import ObjectStore

/// The access rules that this face derives from the configuration of a bucket.
typealias OSSBucketRules = BucketRules<OSSBucketPolicies>

extension BucketRules<OSSBucketPolicies> {
    /// Returns the policy and ACL of the bucket for the authorizer.
    func access() throws(OSSError) -> OSSBucketPolicies {
        try access { (bucket: Bucket) throws(OSSError) -> OSSBucketPolicies in try OSSBucketPolicies(bucket) }
    }
}

extension Bucket {
    /// Returns a document of the configuration, parsed. The value is kept until the configuration changes.
    /// - Throws: `InternalError` if the stored text cannot be parsed.
    func document<Value: Sendable>(_ document: BucketDocument, _ parse: (String) throws -> Value) throws(OSSError) -> Value? {
        try parsed(document) { (text: String) throws(OSSError) -> Value in
            do { return try parse(text) } catch { throw OSSError(failure: error) }
        }
    }
}
