import Cloud
import ObjectStore

extension S3Request {
    /// Changes what the owner can change of a bucket, all at once.
    /// - Throws: `NoSuchBucket`, and what the store finds.
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
