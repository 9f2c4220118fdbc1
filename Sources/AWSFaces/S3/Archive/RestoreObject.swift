import Exchange

extension S3Request {
    /// RestoreObject.
    func restoreObject(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "RestoreObject")
    }
}
