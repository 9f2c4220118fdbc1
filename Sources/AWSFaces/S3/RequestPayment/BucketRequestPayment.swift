import Exchange

extension S3Request {
    /// GetBucketRequestPayment.
    func getBucketRequestPayment(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketRequestPayment")
    }

    /// PutBucketRequestPayment.
    func putBucketRequestPayment(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketRequestPayment")
    }
}
