import Exchange

extension S3Request {
    /// GetBucketVersioning.
    func getBucketVersioning(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketVersioning")
    }

    /// PutBucketVersioning.
    func putBucketVersioning(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketVersioning")
    }

    /// ListObjectVersions.
    func listObjectVersions(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "ListObjectVersions")
    }
}
