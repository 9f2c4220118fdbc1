import Exchange

extension S3Request {
    /// GetBucketLifecycleConfiguration.
    func getBucketLifecycleConfiguration(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketLifecycleConfiguration")
    }

    /// PutBucketLifecycleConfiguration.
    func putBucketLifecycleConfiguration(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketLifecycleConfiguration")
    }

    /// DeleteBucketLifecycle.
    func deleteBucketLifecycle(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "DeleteBucketLifecycle")
    }
}
