import Exchange

extension S3Request {
    /// PostObject.
    func postObject(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PostObject")
    }
}
