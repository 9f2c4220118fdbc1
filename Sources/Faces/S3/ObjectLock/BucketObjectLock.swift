import Calls
import Cloud
import Federation
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    private static let lockConfigurationLimit = 8 << 10

    func getObjectLockConfiguration(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketObjectLockConfiguration, on: bucket)
        guard bucket.configuration.hasObjectLock else {
            throw S3Error(.objectLockConfigurationNotFound, nil, ["BucketName": name])
        }
        return answer(root: "ObjectLockConfiguration") { xml in
            xml.element("ObjectLockEnabled", "Enabled")
            bucket.defaultRetention?.encode(into: &xml)
        }
    }

    /// PutObjectLockConfiguration. It can enable Object Lock but not disable it.
    func putObjectLockConfiguration(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketObjectLockConfiguration, on: bucket)
        let declaration = try declaredBody()
        try checkDigest(declaration)
        let body = try await document(upTo: Self.lockConfigurationLimit, declaration)
        // Other invalid documents cause `MalformedXML` (observed in S3).
        if body.isEmpty, dialect == .aws { throw S3Error(.missingRequestBody) }
        let element = try xml("ObjectLockConfiguration", body).holding(DefaultRetention.schema)
        let retention = try DefaultRetention(configuration: element, dialect)
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in
                guard configuration.versioning == .enabled else { throw .locked }
                configuration.hasObjectLock = true
                configuration.defaultRetention = retention
            }
        } catch ObjectStoreError.locked {
            throw S3Error(
                .invalidBucketState, "Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration")
        } catch {
            throw S3Error(error, bucket: name)
        }
        return answer()
    }

    /// Rejects a document without a digest or checksum.
    func checkDigest(_ declaration: BodyDeclaration) throws(S3Error) {
        guard declaration.hasDigest else {
            throw S3Error(.invalidRequest, "Missing required header for this request: Content-MD5 OR x-amz-checksum-*")
        }
    }

    /// Rejects the body of a locked object or part without a digest or checksum. RADOS Gateway accepts it.
    /// (S3 User Guide, "Locking objects with Object Lock", on `Content-MD5`; the texts from s3tools/s3cmd#1436 and versity/versitygw#1776.)
    /// - Parameter lock: from the request or, without lock headers, from the bucket's default retention.
    func checkDigest(_ declaration: BodyDeclaration, of lock: ObjectLock) throws(S3Error) {
        guard !lock.isEmpty, !declaration.hasDigest, dialect == .aws else { return }
        let operation = declaration.isOfPart ? "Put Part" : "Put Object"
        throw S3Error(
            .invalidRequest,
            "Content-MD5 OR x-amz-checksum- HTTP header is required for \(operation) requests with Object Lock parameters")
    }
}
