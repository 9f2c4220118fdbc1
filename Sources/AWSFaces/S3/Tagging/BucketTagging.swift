import Exchange

extension S3Request {
    /// GetBucketTagging.
    func getBucketTagging(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketTagging")
    }

    /// PutBucketTagging.
    func putBucketTagging(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketTagging")
    }

    /// DeleteBucketTagging.
    func deleteBucketTagging(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "DeleteBucketTagging")
    }
}
