import ObjectServing
import ObjectStore

/// Values that this face derives from the configuration of a bucket.
typealias OSSBucketRules = BucketRules<OSSBucketPolicies>

extension BucketRules<OSSBucketPolicies> {
    /// Returns the bucket's configuration of one kind. The parsed value is cached.
    /// - Throws: `InternalError` if the stored text cannot be parsed.
    func document<Value: Sendable>(_ kind: BucketDocument, _ parse: (String) throws -> Value) throws(OSSError) -> Value? {
        try parsed(kind) { (text: String) throws(OSSError) -> Value in
            do { return try parse(text) } catch { throw OSSError(failure: error) }
        }
    }

    /// Returns the policy and ACL of the bucket for the authorizer.
    func access() throws(OSSError) -> OSSBucketPolicies {
        try access { (bucket: Bucket) throws(OSSError) -> OSSBucketPolicies in try OSSBucketPolicies(bucket) }
    }
}
