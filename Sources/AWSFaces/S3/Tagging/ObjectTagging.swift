import Exchange

extension S3Request {
    /// GetObjectTagging.
    func getObjectTagging(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "GetObjectTagging")
    }

    /// PutObjectTagging.
    func putObjectTagging(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "PutObjectTagging")
    }

    /// DeleteObjectTagging.
    func deleteObjectTagging(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "DeleteObjectTagging")
    }
}
