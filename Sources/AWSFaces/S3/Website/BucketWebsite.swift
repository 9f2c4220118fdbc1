import Exchange

extension S3Request {
    /// GetBucketWebsite.
    func getBucketWebsite(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketWebsite")
    }

    /// PutBucketWebsite.
    func putBucketWebsite(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketWebsite")
    }

    /// DeleteBucketWebsite.
    func deleteBucketWebsite(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "DeleteBucketWebsite")
    }
}
