import Directory
import ObjectServing
import ObjectStore

/// What this face derives from the configuration of a bucket.
typealias S3BucketRules = BucketRules<BucketAccess>

extension BucketRules<BucketAccess> {
    /// The bucket's configuration of one kind, parsed once.
    /// - Throws: `InternalError` where the text cannot be read after all.
    func document<Value: Sendable>(_ kind: BucketDocument, _ parse: (String) throws -> Value) throws(S3Error) -> Value? {
        try parsed(kind) { (text: String) throws(S3Error) -> Value in
            do { return try parse(text) } catch { throw S3Error(failure: error) }
        }
    }

    /// Who may do what in the bucket.
    /// - Parameter directory: tells which accounts the canonical users of policy and grants are.
    func access(in directory: () -> Directory) throws(S3Error) -> BucketAccess {
        try access { (bucket: Bucket) throws(S3Error) -> BucketAccess in try BucketAccess(bucket, directory()) }
    }
}
