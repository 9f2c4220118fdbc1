import Cloud
import ObjectStore

extension S3Request {
    /// Changes the configuration of a bucket in one transaction.
    /// - Throws: `NoSuchBucket`, and the errors of the store.
    func configure(
        _ bucket: Bucket, _ change: @escaping @Sendable (inout BucketConfiguration) -> Void
    ) async throws(S3Error) {
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in change(&configuration) }
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
    }
}
