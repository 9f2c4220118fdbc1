import Exchange

extension S3Request {
    /// GetBucketAccelerateConfiguration.
    func getBucketAccelerateConfiguration(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketAccelerateConfiguration")
    }

    /// PutBucketAccelerateConfiguration.
    func putBucketAccelerateConfiguration(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketAccelerateConfiguration")
    }
}
