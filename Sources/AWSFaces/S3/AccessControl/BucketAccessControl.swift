import Exchange

extension S3Request {
    /// GetBucketAcl.
    func getBucketAcl(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketAcl")
    }

    /// PutBucketAcl.
    func putBucketAcl(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketAcl")
    }

    /// GetBucketOwnershipControls.
    func getBucketOwnershipControls(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketOwnershipControls")
    }

    /// PutBucketOwnershipControls.
    func putBucketOwnershipControls(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutBucketOwnershipControls")
    }

    /// DeleteBucketOwnershipControls.
    func deleteBucketOwnershipControls(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "DeleteBucketOwnershipControls")
    }

    /// GetPublicAccessBlock.
    func getPublicAccessBlock(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetPublicAccessBlock")
    }

    /// PutPublicAccessBlock.
    func putPublicAccessBlock(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "PutPublicAccessBlock")
    }

    /// DeletePublicAccessBlock.
    func deletePublicAccessBlock(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "DeletePublicAccessBlock")
    }

    /// GetBucketPolicyStatus.
    func getBucketPolicyStatus(_ name: String) async throws -> Response {
        throw S3Error.notImplemented(header: "GetBucketPolicyStatus")
    }
}
