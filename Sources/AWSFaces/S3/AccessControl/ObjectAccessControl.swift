import Exchange

extension S3Request {
    /// GetObjectAcl.
    func getObjectAcl(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "GetObjectAcl")
    }

    /// PutObjectAcl.
    func putObjectAcl(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "PutObjectAcl")
    }
}
