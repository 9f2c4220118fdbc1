import Calls
import Cloud
import Cryptography
import Federation
import Fixtures
import HTTPTypes
import Logging
import NIOCore
import ObjectServing
import ObjectStore
import RequestSigning
import S3Face
import Seeds
import Testing
import WireFormats

/// A sandbox for one test, with a client for its S3 face.
struct S3Sandbox {
    let cloud: Cloud
    let face: S3Face

    static let seed = """
        {accounts: [
          {id: "000000000000", name: "virga", rootKeys: [{id: "test", secret: "test"}],
           users: [
             {name: "reader", accessKeys: [{id: "AKIAREADER0000000000", secret: "reader"}], policies: {
               "reads": {"Version": "2012-10-17", "Statement": [
                 {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::files/public/*"}]}}},
             {name: "lister", accessKeys: [{id: "AKIALISTER0000000000", secret: "lister"}], policies: {
               "lists": {"Version": "2012-10-17", "Statement": [
                 {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::files",
                  "Condition": {"StringLike": {"s3:prefix": "public/*"}}},
                 {"Effect": "Allow", "Action": "s3:CreateBucket", "Resource": "arn:aws:s3:::listers"},
                 {"Effect": "Allow", "Action": ["s3:GetObject", "s3:DeleteObject"], "Resource": "arn:aws:s3:::files/public/*"}]}}}],
           buckets: [{name: "files", objects: [
             {key: "public/hello.txt", text: "0123456789", contentType: "text/plain", metadata: {colour: "blue"}}]}]},
          {id: "111111111111", name: "other", rootKeys: [{id: "other", secret: "other"}],
           buckets: [{name: "foreign"}]}]}
        """

    /// - Parameters:
    ///   - - newBuckets: The configuration of new buckets, including those of the seed.
    ///   - - dialect: The S3 implementation to imitate.
    ///   - - regions: Whether a bucket can be used from another region; nil if the host decides.
    static func run(
        newBuckets: BucketConfiguration = .modern, dialect: Dialect = .aws, regions: RegionRule? = nil, logger: Logger = .ofTests,
        _ test: (S3Sandbox) async throws -> Void
    ) async throws {
        try await withCloud(seed, newBuckets: newBuckets) { cloud async throws in
            let face = S3Face(authenticator: Authenticator(cloud: cloud), dialect: dialect, regions: regions, logger: logger)
            try await test(S3Sandbox(cloud: cloud, face: face))
        }
    }

    /// The signer of a request.
    enum Signer {
        case root, other, reader, lister, nobody

        func signer(region: String) -> SignatureV4.Signer? {
            let (id, secret): (String, String)
            switch self {
            case .root: (id, secret) = ("test", "test")
            case .other: (id, secret) = ("other", "other")
            case .reader: (id, secret) = ("AKIAREADER0000000000", "reader")
            case .lister: (id, secret) = ("AKIALISTER0000000000", "lister")
            case .nobody: return nil
            }
            return SignatureV4.Signer(accessKey: id, secret: secret, region: region, service: "s3")
        }
    }

    static let authority = "localhost:4566"

    /// Sends a request with headers that the signature covers.
    /// - Parameter payload: The signed payload hash; by default that of the body.
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil,
        as who: Signer = .root, payload: PayloadHash? = nil, region: String = "us-east-1", bucketFromHost: String? = nil,
        authority: String = Self.authority
    ) async throws -> FaceAnswer {
        var signable = SignableRequest(method: method.rawValue, target: target, authority: authority)
        for (name, value) in fields {
            signable.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        if let body, !signable.fields.contains(.contentLength), !signable.fields.contains(.transferEncoding) {
            signable.fields[.contentLength] = String(body.count)
        }
        let hash = payload ?? PayloadHash(of: body ?? [])
        who.signer(region: region)?.sign(&signable, payload: hash, at: cloud.clock.now)
        return try await send(method, target, signable.fields, body ?? [], bucketFromHost: bucketFromHost, authority: authority)
    }

    func send(
        _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields, _ body: [UInt8], bucketFromHost: String? = nil,
        authority: String = Self.authority
    ) async throws -> FaceAnswer {
        let call = Call(method, target, fields, body: ByteBuffer(bytes: body), authority: authority, cloud: cloud)
        let response = await face.respond(to: call, bucketFromHost: bucketFromHost)
        return try await FaceAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// Sends a document with the digest that some operations require.
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ fields: [String: String] = [:], document: String, as who: Signer = .root
    ) async throws -> FaceAnswer {
        let body = Array(document.utf8)
        return try await send(
            method, target, fields.merging(["Content-MD5": MD5.hash(body).base64]) { given, _ in given }, body: body, as: who)
    }

    /// Shares a bucket with OSS.
    func share(_ name: String) async throws {
        let bucket = try #require(cloud.objects.bucket(named: name))
        _ = try await cloud.objects.configure(bucket.id) { $0.documents[.sharedWith] = "1234567890123456" }
    }

    /// The CRC of an object's content that OSS returns.
    func checkOfOSS(_ key: String, in name: String = "files") throws -> Checksum? {
        let bucket = try #require(cloud.objects.bucket(named: name))
        return try cloud.objects.head(key, in: bucket.id).object?.checksums.first { $0.algorithm == .crc64xz }
    }

    /// OSS's CRC of a text.
    static func checkOfOSS(of text: String) -> Checksum {
        var crc = RunningChecksum(.crc64xz)
        Array(text.utf8).withUnsafeBytes { crc.update($0) }
        return Checksum(.crc64xz, bytes: crc.finalize())
    }

    /// Sends an object with its digest, which Object Lock requires.
    @discardableResult
    func put(_ key: String, _ text: String, _ fields: [String: String] = [:]) async throws -> FaceAnswer {
        try await send(.put, "/files/\(percentEncoded(key, keepingSlash: true))", fields, document: text)
    }
}
