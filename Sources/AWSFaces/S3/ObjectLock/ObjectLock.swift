import Exchange

extension S3Request {
    /// GetObjectRetention.
    func getObjectRetention(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "GetObjectRetention")
    }

    /// PutObjectRetention.
    func putObjectRetention(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "PutObjectRetention")
    }

    /// GetObjectLegalHold.
    func getObjectLegalHold(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "GetObjectLegalHold")
    }

    /// PutObjectLegalHold.
    func putObjectLegalHold(_ address: ObjectAddress) async throws -> Response {
        throw S3Error.notImplemented(header: "PutObjectLegalHold")
    }
}
