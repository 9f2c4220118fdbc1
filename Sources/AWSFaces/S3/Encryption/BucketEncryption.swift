import Exchange

extension S3Request {
    /// GetBucketEncryption.
    func getBucketEncryption(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketEncryption")
    }

    /// PutBucketEncryption.
    func putBucketEncryption(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketEncryption")
    }

    /// DeleteBucketEncryption.
    func deleteBucketEncryption(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "DeleteBucketEncryption")
    }
}
