import Exchange

extension S3Request {
    /// GetBucketLogging.
    func getBucketLogging(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketLogging")
    }

    /// PutBucketLogging.
    func putBucketLogging(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketLogging")
    }
}
