import ObjectServing
import ObjectStore

/// What this face derives from the configuration of a bucket.
typealias OSSBucketRules = BucketRules<OSSBucketPolicies>

extension BucketRules<OSSBucketPolicies> {
    /// The bucket's configuration of one kind, parsed once.
    /// - Throws: `InternalError` where the text cannot be read after all.
    func document<Value: Sendable>(_ kind: BucketDocument, _ parse: (String) throws -> Value) throws(OSSError) -> Value? {
        try parsed(kind) { (text: String) throws(OSSError) -> Value in
            do { return try parse(text) } catch { throw OSSError(failure: error) }
        }
    }

    /// Who may do what in the bucket.
    func access() throws(OSSError) -> OSSBucketPolicies {
        try access { (bucket: Bucket) throws(OSSError) -> OSSBucketPolicies in try OSSBucketPolicies(bucket) }
    }
}
