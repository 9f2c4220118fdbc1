import ObjectServing
import ObjectStore

extension S3Request {
    /// The rules of a bucket; `nil` if it has none.
    func cors(of bucket: Bucket) throws(S3Error) -> CORSConfiguration? {
        try bucket.document(.cors, CORSConfiguration.init(stored:))
    }
}
