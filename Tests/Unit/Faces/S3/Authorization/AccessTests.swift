import Cloud
import Federation
import Fixtures
import HTTPTypes
import ObjectStore
import RequestSigning
import Testing
import WireFormats

@testable import S3Face

@Suite("Access to S3")
struct AccessTests {
    @Test("does not include anonymous copies and multipart uploads, whatever the bucket allows")
    func anonymousWrites() async throws {
        for dialect in [Dialect.aws, .ceph] {
            try await S3Sandbox.run(newBuckets: .legacy, dialect: dialect) { s3 async throws in
                #expect(try await s3.send(.put, "/open", ["x-amz-acl": "public-read-write"]).status == 200)
                #expect(try await s3.send(.put, "/open/k", body: [0x78], as: .nobody).status == 200)
                let upload = try await s3.send(.post, "/open/k?uploads", as: .nobody)
                let copy = try await s3.send(.put, "/open/copy", ["x-amz-copy-source": "open/k"], as: .nobody)
                guard dialect == .aws else {
                    #expect(upload.status == 200)
                    return
                }
                #expect(upload.status == 403)
                #expect(upload.detail("Message")?.hasPrefix("Anonymous users cannot initiate") == true)
                #expect(copy.status == 403)
                #expect(copy.detail("Message")?.hasPrefix("Anonymous users cannot copy") == true)
            }
        }
    }

    @Test("is denied with the reason and the resource in quotes")
    func message() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.put, "/files/public/x", body: [1], as: .reader)
            #expect(answer.status == 403)
            #expect(answer.code == "AccessDenied")
            #expect(
                answer.detail("Message")
                    == "User: arn:aws:iam::000000000000:user/reader is not authorized to perform: s3:PutObject on resource: \"arn:aws:s3:::files/public/x\" because no identity-based policy allows the s3:PutObject action"
            )
            #expect(answer.journal.face == "s3")
            #expect(answer.journal.operation == "PutObject")
            #expect(answer.journal.caller == "arn:aws:iam::000000000000:user/reader")
            #expect(answer.journal.errorCode == "AccessDenied")
            #expect(answer.journal.decisions.map(\.action) == ["s3:PutObject"])
        }
    }

    @Test("is denied to anonymous callers without a reason")
    func anonymous() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.get, "/files/public/hello.txt", as: .nobody)
            #expect(answer.status == 403)
            #expect(answer.detail("Message") == "Access Denied")
            #expect(try await s3.send(.get, "/", as: .nobody).status == 403)
        }
    }

    @Test("to a missing object returns 404 only to callers who may list")
    func missing() async throws {
        try await S3Sandbox.run { s3 async throws in
            let reader = try await s3.send(.get, "/files/public/none", as: .reader)
            #expect(reader.status == 403)
            #expect(reader.detail("Message")?.contains("s3:ListBucket") == true)
            #expect(try await s3.send(.head, "/files/public/none", as: .reader).status == 403)
            let root = try await s3.send(.get, "/files/public/none")
            #expect(root.status == 404)
            #expect(root.code == "NoSuchKey")
            #expect(root.detail("Key") == "public/none")
        }
    }

    @Test("to a listing can depend on its prefix")
    func prefix() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, "/files?list-type=2&prefix=public/a", as: .lister).status == 200)
            #expect(try await s3.send(.get, "/files?prefix=private/", as: .lister).status == 403)
            #expect(try await s3.send(.get, "/files", as: .lister).status == 403)
        }
    }

    @Test("to another account's bucket needs that account's permission")
    func crossAccount() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, "/foreign").status == 403)
            let policy = """
                {"Statement":[{"Effect":"Allow","Principal":{"AWS":"000000000000"},"Action":"s3:ListBucket",\
                "Resource":"arn:aws:s3:::foreign"}]}
                """
            #expect(try await s3.send(.put, "/foreign?policy", body: Array(policy.utf8), as: .other).status == 204)
            #expect(try await s3.send(.get, "/foreign").status == 200)
            #expect(try await s3.send(.get, "/foreign", as: .lister).status == 403)
        }
    }

    @Test("by a URL with an encoded slash before the bucket is not covered by the signature of a plain slash")
    func encodedSlash() async throws {
        try await S3Sandbox.run { s3 async throws in
            let signer = try #require(S3Sandbox.Signer.root.signer(region: "us-east-1"))
            let request = SignableRequest(method: "GET", target: "/files/public/hello.txt", authority: S3Sandbox.authority)
            let target = signer.presign(request, expires: .seconds(600), at: s3.cloud.clock.now)
            let answer = try await s3.send(.get, "/%2F" + target.dropFirst(), [:], [])
            #expect(answer.status == 403)
            #expect(answer.code == "SignatureDoesNotMatch")
            #expect(answer.detail("CanonicalRequest")?.hasPrefix("GET\n//files/public/hello.txt\n") == true, "\(answer.text)")
        }
    }

    @Test("by a presigned URL is that of its signer")
    func presigned() async throws {
        try await S3Sandbox.run { s3 async throws in
            let signer = try #require(S3Sandbox.Signer.reader.signer(region: "us-east-1"))
            let request = SignableRequest(
                method: "GET", target: "/files/public/hello.txt", authority: S3Sandbox.authority)
            // The clock is frozen, so that the duration of the test does not matter.
            try await s3.cloud.change(clock: .freeze(at: nil))
            let target = signer.presign(request, expires: .seconds(60), at: s3.cloud.clock.now)
            #expect(try await s3.send(.get, target, [:], []).text == "0123456789")
            let tampered = try await s3.send(.get, target.replacingKey("hello", by: "hallo"), [:], [])
            #expect(tampered.status == 403)
            #expect(tampered.code == "SignatureDoesNotMatch")
            #expect(tampered.detail("StringToSign") != nil)
            #expect(tampered.detail("CanonicalRequest") != nil)
            try await s3.cloud.age(by: .seconds(60))
            let expired = try await s3.send(.get, target, [:], [])
            #expect(expired.status == 403)
            #expect(expired.code == "AccessDenied")
            #expect(expired.detail("Message") == "Request has expired")
            #expect(expired.detail("X-Amz-Expires") == "60")
        }
    }

    /// The response of S3 in minio/minio#2638 and dmjio/s3-signer#16.
    @Test("by a presigned URL of the future is refused")
    func future() async throws {
        try await S3Sandbox.run { s3 async throws in
            let signer = try #require(S3Sandbox.Signer.reader.signer(region: "us-east-1"))
            let request = SignableRequest(method: "GET", target: "/files/public/hello.txt", authority: S3Sandbox.authority)
            let date = Timestamp(seconds: s3.cloud.clock.now.seconds + 86_400)
            let answer = try await s3.send(.get, signer.presign(request, expires: .seconds(60), at: date), [:], [])
            #expect(answer.status == 403)
            #expect(answer.code == "AccessDenied")
            #expect(answer.detail("Message") == "Request is not yet valid")
            #expect(answer.detail("X-Amz-Date") == String(date.milliseconds))
            #expect(answer.detail("Expires") == Timestamp(seconds: date.seconds + 60).iso8601)
            #expect(answer.detail("ServerTime") != nil)
        }
    }

    @Test(
        "by a presigned URL with an invalid lifetime is refused",
        arguments: [
            ("-7", "X-Amz-Expires must be non-negative"),
            (
                "604801",
                "X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds"
            ),
            ("soon", "X-Amz-Expires should be a number"),
        ])
    func expires(_ expires: String, _ message: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let signer = try #require(S3Sandbox.Signer.reader.signer(region: "us-east-1"))
            let request = SignableRequest(method: "GET", target: "/files/public/hello.txt", authority: S3Sandbox.authority)
            let target = signer.presign(request, expires: .seconds(60), at: s3.cloud.clock.now)
            let altered = target.split(separator: "&").map { $0 == "X-Amz-Expires=60" ? "X-Amz-Expires=\(expires)" : $0 }
            let answer = try await s3.send(.get, altered.joined(separator: "&"), [:], [])
            #expect(answer.status == 400, "\(answer.text)")
            #expect(answer.code == "AuthorizationQueryParametersError", "\(answer.text)")
            #expect(answer.detail("Message") == message)
        }
    }

    @Test("with unknown keys or old signatures is refused with S3's errors")
    func signatures() async throws {
        try await S3Sandbox.run { s3 async throws in
            func send(_ signer: SignatureV4.Signer, skew: Duration = .zero) async throws -> FaceAnswer {
                var request = SignableRequest(method: "GET", target: "/files", authority: S3Sandbox.authority)
                signer.sign(&request, payload: .unsigned, at: s3.cloud.clock.now - skew)
                return try await s3.send(.get, "/files", request.fields, [])
            }
            let root = SignatureV4.Signer(accessKey: "test", secret: "test", region: "us-east-1", service: "s3")
            var stranger = root
            stranger.accessKey = "AKIASTRANGER00000000"
            let unknown = try await send(stranger)
            #expect(unknown.status == 403)
            #expect(unknown.code == "InvalidAccessKeyId")
            #expect(unknown.detail("AWSAccessKeyId") == stranger.accessKey)
            var wrong = root
            wrong.secret = "wrong"
            #expect(try await send(wrong).code == "SignatureDoesNotMatch")
            let old = try await send(root, skew: .seconds(16 * 60))
            #expect(old.status == 403)
            #expect(old.code == "RequestTimeTooSkewed")
            #expect(old.detail("MaxAllowedSkewMilliseconds") == "900000")
            var service = root
            service.service = "sts"
            #expect(try await send(service).code == "AuthorizationHeaderMalformed")
            var session = root
            session.sessionToken = "nonsense"
            let token = try await send(session)
            #expect(token.status == 400)
            #expect(token.code == "InvalidToken")
        }
    }
}

extension String {
    fileprivate func replacingKey(_ old: String, by new: String) -> String {
        split(separator: old, maxSplits: 1).joined(separator: new)
    }
}
