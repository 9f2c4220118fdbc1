import Exchange

extension S3Request {
    /// GetObjectLockConfiguration.
    func getObjectLockConfiguration(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetObjectLockConfiguration")
    }

    /// PutObjectLockConfiguration.
    func putObjectLockConfiguration(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutObjectLockConfiguration")
    }
}
