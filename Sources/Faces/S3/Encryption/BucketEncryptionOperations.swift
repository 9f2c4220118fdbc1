import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    private static let encryptionLimit = 64 << 10

    func getBucketEncryption(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getEncryptionConfiguration, on: bucket)
        guard bucket.configuration.documents[.encryption] != nil || encryptsByDefault else {
            throw S3Error(.serverSideEncryptionConfigurationNotFound, nil, ["BucketName": name])
        }
        let encryption = try bucketEncryption(of: bucket)
        return answer(root: BucketEncryption.root) { encryption.encode(into: &$0) }
    }

    func putBucketEncryption(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putEncryptionConfiguration, on: bucket)
        let body = try await document(upTo: Self.encryptionLimit, try declaredBody())
        let encryption = try BucketEncryption(
            try xml(BucketEncryption.root, body).holding(BucketEncryption.schema),
            blocking: try bucketEncryption(of: bucket).blocksCustomerKeys)
        try await keep(encryption.text, of: bucket)
        return answer()
    }

    /// DeleteBucketEncryption. Restores the default encryption.
    func deleteBucketEncryption(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putEncryptionConfiguration, on: bucket)
        try await keep(nil, of: bucket)
        return answer(.noContent)
    }

    private func keep(_ text: String?, of bucket: Bucket) async throws(S3Error) {
        do {
            try await objects.configure(bucket.id) { $0.documents[.encryption] = text }
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
    }

    /// Whether buckets without an encryption configuration have a default one, as in AWS since January 2023.
    private var encryptsByDefault: Bool { call.cloud.newBucketConfiguration.ownership != nil }

    /// Returns the encryption of new objects whose request does not specify one.
    func bucketEncryption(of bucket: Bucket) throws(S3Error) -> BucketEncryption {
        try bucket.document(.encryption) { try BucketEncryption(stored: $0) } ?? (encryptsByDefault ? .modern : .standard)
    }
}
