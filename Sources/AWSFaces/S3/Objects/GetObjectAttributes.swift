import Exchange

extension S3Request {
    /// GetObjectAttributes.
    func getObjectAttributes(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "GetObjectAttributes")
    }
}
