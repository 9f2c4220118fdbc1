import Exchange

extension S3Request {
    /// GetBucketNotificationConfiguration.
    func getBucketNotificationConfiguration(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketNotificationConfiguration")
    }

    /// PutBucketNotificationConfiguration.
    func putBucketNotificationConfiguration(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketNotificationConfiguration")
    }
}
