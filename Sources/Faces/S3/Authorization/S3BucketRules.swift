import Directory
import ObjectServing
import ObjectStore

/// The access rules that this face derives from the configuration of a bucket.
typealias S3BucketRules = BucketRules<BucketAccess>

extension BucketRules<BucketAccess> {
    /// Returns the policy and ACL of the bucket for the authorizer.
    /// - Parameter directory: resolves the canonical users of policy and grants to accounts.
    func access(in directory: () -> Directory) throws(S3Error) -> BucketAccess {
        try access { (bucket: Bucket) throws(S3Error) -> BucketAccess in try BucketAccess(bucket, directory()) }
    }
}

extension Bucket {
    /// Returns a document of the configuration, parsed. The value is kept until the configuration changes.
    /// - Throws: `InternalError` if the stored text cannot be parsed.
    func document<Value: Sendable>(_ document: BucketDocument, _ parse: (String) throws -> Value) throws(S3Error) -> Value? {
        try parsed(document) { (text: String) throws(S3Error) -> Value in
            do { return try parse(text) } catch { throw S3Error(failure: error) }
        }
    }
}
