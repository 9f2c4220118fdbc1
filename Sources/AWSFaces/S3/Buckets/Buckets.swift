import Cloud
import Exchange
import Federation
import HTTPTypes
import HummingbirdCore
import NIOCore
import WireFormats

extension S3Request {
    private static let configurationLimit = 64 << 10

    /// CreateBucket.
    func createBucket(_ name: String) async throws -> Response {
        guard isValidBucketName(name) else { throw S3Error(.invalidBucketName, nil, ["BucketName": name]) }
        guard let account = caller.account else { throw S3Error(.accessDenied) }
        let body = try await document(upTo: Self.configurationLimit, try declaredBody())
        var constraint = ""
        if !body.isEmpty {
            constraint = try LocationConstraint.read(try xml("CreateBucketConfiguration", body))
        }
        try authorize(
            .createBucket, resource: "arn:aws:s3:::\(name)", ownedBy: account,
            keys: writeKeys + (constraint.isEmpty ? [] : [("s3:locationconstraint", constraint)]))
        try LocationConstraint.check(constraint, at: region)
        try checkBucketHeaders()
        do {
            _ = try await objects.createBucket(named: name, account: account, region: constraint, created: clock.now, configuration: .modern)
        } catch {
            switch error {
            case .bucketExists(let owner) where owner == account:
                // Only here may a bucket be created again, which changes nothing.
                guard region == "us-east-1" else { throw S3Error(.bucketAlreadyOwnedByYou, nil, ["BucketName": name]) }
            default: throw S3Error(error, bucket: name)
            }
        }
        let location = region == "us-east-1" ? "/\(name)" : "http://\(name).s3.amazonaws.com/"
        return answer(.ok, [.location: location, .bucketARN: "arn:aws:s3:::\(name)"])
    }

    /// Refuses headers of CreateBucket that ask for what buckets do not have here.
    private func checkBucketHeaders() throws(S3Error) {
        if let acl = headers[.cannedACL], acl != "private" { throw S3Error(.invalidBucketACL) }
        for field in headers where field.name.canonicalName.hasPrefix("x-amz-grant-") { throw S3Error(.invalidBucketACL) }
        if let ownership = headers[.objectOwnership], ownership != "BucketOwnerEnforced" {
            throw .notImplemented(header: "x-amz-object-ownership")
        }
        if headers[.objectLockEnabled]?.lowercased() == "true" {
            throw .notImplemented(header: "x-amz-bucket-object-lock-enabled")
        }
    }

    /// HeadBucket.
    func headBucket(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.listBucket, on: bucket)
        return answer(
            .ok,
            [
                .bucketRegion: LocationConstraint.region(of: bucket.region), .bucketARN: "arn:aws:s3:::\(name)",
                .accessPointAlias: "false", .contentType: "application/xml",
            ])
    }

    /// DeleteBucket.
    func deleteBucket(_ name: String) async throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.deleteBucket, on: bucket)
        do { try await objects.deleteBucket(bucket.id) } catch { throw S3Error(error, bucket: name) }
        return answer(.noContent)
    }

    /// GetBucketLocation. The first region of AWS has no name here.
    func getBucketLocation(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketLocation, on: bucket)
        var xml = XMLWriter()
        xml.declaration()
        xml.element(
            "LocationConstraint", attributes: ["xmlns": S3Face.namespace],
            bucket.region == "us-east-1" ? "" : bucket.region)
        var headers = exchange.s3Headers()
        headers.append(HTTPField(name: .contentType, value: "application/xml"))
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: xml.bytes)))
    }

    /// Why a browser's question about another origin is refused: no bucket has CORS rules.
    /// (S3 User Guide, "Troubleshooting CORS".)
    func preflightRefusal() -> S3Error {
        guard headers[.origin] != nil else {
            return S3Error(.badRequest, "Insufficient information. Origin request header needed.")
        }
        return S3Error(
            .accessForbidden, "CORSResponse: CORS is not enabled for this bucket.",
            ["Method": headers[.accessControlRequestMethod] ?? "", "ResourceType": "BUCKET"])
    }
}
