import Exchange

extension S3Request {
    /// GetBucketCors.
    func getBucketCors(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketCors")
    }

    /// PutBucketCors.
    func putBucketCors(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketCors")
    }

    /// DeleteBucketCors.
    func deleteBucketCors(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "DeleteBucketCors")
    }
}
