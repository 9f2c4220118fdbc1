import Cloud
import Fixtures
import HTTPTypes
import Logging
import Seeds
import Synchronization
import Testing
import WireFormats

@testable import RequestSigning
@testable import S3Face

@Suite("Regions of S3")
struct RegionTests {
    /// Runs a test with the bucket `elsewhere` in a region, beside `files` in us-east-1.
    private func run(
        _ region: String = "eu-west-1", rule: RegionRule? = nil, logger: Logger = .ofTests, _ test: (S3Sandbox) async throws -> Void
    ) async throws {
        try await S3Sandbox.run(regions: rule, logger: logger) { s3 async throws in
            let constraint = "<CreateBucketConfiguration><LocationConstraint>\(region)</LocationConstraint></CreateBucketConfiguration>"
            #expect(try await s3.send(.put, "/elsewhere", body: Array(constraint.utf8)).status == 200)
            try await test(s3)
        }
    }

    @Test("an endpoint accepts requests for its own buckets, signed for its region")
    func own() async throws {
        try await run { s3 async throws in
            for (host, region) in [
                ("elsewhere.s3.eu-west-1.amazonaws.com", "eu-west-1"), ("elsewhere.s3-eu-west-1.amazonaws.com", "eu-west-1"),
                ("elsewhere.s3.amazonaws.com", "eu-west-1"), ("elsewhere.s3.dualstack.eu-west-1.amazonaws.com:443", "eu-west-1"),
                ("elsewhere.s3.eu-west-1.api.aws", "eu-west-1"),
            ] {
                let answer = try await s3.send(.get, "/", region: region, bucketFromHost: "elsewhere", authority: host)
                #expect(answer.status == 200, "\(host)")
                #expect(answer["x-amz-bucket-region"] == "eu-west-1", "\(host)")
            }
            #expect(try await s3.send(.get, "/files", authority: "s3.amazonaws.com").status == 200)
            #expect(try await s3.send(.get, "/files", authority: "s3-external-1.amazonaws.com").status == 200)
        }
    }

    @Test(
        "a signature for another region is refused, with the right one in the error",
        arguments: [
            ("elsewhere.s3.amazonaws.com", "us-east-1", "eu-west-1"), ("elsewhere.s3.eu-west-1.amazonaws.com", "us-east-1", "eu-west-1"),
            ("elsewhere.s3.amazonaws.com", "aws-global", "eu-west-1"),
        ])
    func signature(_ host: String, _ signed: String, _ expected: String) async throws {
        try await run { s3 async throws in
            let answer = try await s3.send(.get, "/", region: signed, bucketFromHost: "elsewhere", authority: host)
            #expect(answer.status == 400)
            #expect(answer.code == "AuthorizationHeaderMalformed")
            #expect(
                answer.detail("Message")
                    == "The authorization header is malformed; the region '\(signed)' is wrong; expecting '\(expected)'")
            #expect(answer.detail("Region") == expected)
            #expect(answer["x-amz-bucket-region"] == expected)
            let head = try await s3.send(.head, "/", region: signed, bucketFromHost: "elsewhere", authority: host)
            #expect(head.status == 400)
            #expect(head.body.isEmpty)
            #expect(head["x-amz-bucket-region"] == expected)
        }
    }

    @Test("a presigned URL for another region is refused with another error")
    func presigned() async throws {
        try await run(rule: .strict) { s3 async throws in
            let request = SignableRequest(method: "GET", target: "/elsewhere/k", authority: S3Sandbox.authority)
            let signer = try #require(S3Sandbox.Signer.root.signer(region: "us-east-1"))
            let target = signer.presign(request, expires: .seconds(600), at: s3.cloud.clock.now)
            let answer = try await s3.send(.get, target, [:], [])
            #expect(answer.status == 400)
            #expect(answer.code == "AuthorizationQueryParametersError")
            #expect(answer.detail("Region") == "eu-west-1")
            #expect(
                answer.detail("Message")
                    == "Error parsing the X-Amz-Credential parameter; the region 'us-east-1' is wrong; expecting 'eu-west-1'")
        }
    }

    @Test(
        "the endpoint of another region redirects",
        arguments: [
            ("eu-west-1", "elsewhere.s3.us-east-1.amazonaws.com", true, "elsewhere.s3-eu-west-1.amazonaws.com"),
            ("eu-west-1", "s3.amazonaws.com", false, "s3-eu-west-1.amazonaws.com"),
            ("eu-central-1", "s3.us-west-2.amazonaws.com", false, "s3.eu-central-1.amazonaws.com"),
        ])
    func redirection(_ region: String, _ host: String, _ isVirtualHosted: Bool, _ endpoint: String) async throws {
        try await run(region) { s3 async throws in
            for who in [S3Sandbox.Signer.root, .nobody] {
                let answer = try await s3.send(
                    .get, isVirtualHosted ? "/k" : "/elsewhere/k", as: who, bucketFromHost: isVirtualHosted ? "elsewhere" : nil,
                    authority: host)
                #expect(answer.status == 301)
                #expect(answer.code == "PermanentRedirect")
                #expect(answer["x-amz-bucket-region"] == region)
                #expect(answer.detail("Endpoint") == endpoint)
                #expect(answer.detail("Bucket") == "elsewhere")
                #expect(
                    answer.detail("Message")
                        == "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint."
                )
            }
            let head = try await s3.send(
                .head, isVirtualHosted ? "/" : "/elsewhere", bucketFromHost: isVirtualHosted ? "elsewhere" : nil, authority: host)
            #expect(head.status == 301)
            #expect(head.body.isEmpty)
            #expect(head["x-amz-bucket-region"] == region)
        }
        try await run { s3 async throws in
            let back = try await s3.send(
                .get, "/", region: "eu-west-1", bucketFromHost: "files", authority: "files.s3.eu-west-1.amazonaws.com")
            #expect(back.status == 301)
            #expect(back.detail("Endpoint") == "files.s3.amazonaws.com")
        }
    }

    @Test("buckets in regions opened since 2019 are not redirected")
    func optIn() async throws {
        try await run("me-south-1") { s3 async throws in
            let answer = try await s3.send(.get, "/elsewhere", authority: "s3.us-east-1.amazonaws.com")
            #expect(answer.status == 400)
            #expect(answer.code == "IllegalLocationConstraintException")
            #expect(
                answer.detail("Message")
                    == "The me-south-1 location constraint is incompatible for the region specific endpoint this request was sent to.")
            #expect(answer["x-amz-bucket-region"] == "me-south-1")
        }
    }

    @Test("a missing bucket is assumed in the endpoint's region")
    func missing() async throws {
        try await run { s3 async throws in
            let host = "s3.eu-west-1.amazonaws.com"
            #expect(try await s3.send(.get, "/nowhere", region: "eu-west-1", authority: host).code == "NoSuchBucket")
            #expect(try await s3.send(.get, "/nowhere", authority: host).detail("Region") == "eu-west-1")
            #expect(try await s3.send(.get, "/", region: "eu-west-1", authority: host).status == 200)
            #expect(try await s3.send(.get, "/", authority: host).code == "AuthorizationHeaderMalformed")
            let global = try await s3.send(.get, "/", region: "aws-global", authority: "s3.amazonaws.com")
            #expect(global.detail("Region") == "us-east-1")
        }
    }

    @Test(
        "buckets are created in the endpoint's region, and from us-east-1 in any",
        arguments: [
            ("s3.us-east-1.amazonaws.com", "us-east-1", "eu-west-1", nil), ("s3.amazonaws.com", "us-east-1", "", nil),
            ("s3.us-east-1.amazonaws.com", "us-east-1", "xx-nowhere-9", "InvalidLocationConstraint"),
            ("s3.us-east-1.amazonaws.com", "us-east-1", "aws-global", "InvalidLocationConstraint"),
            ("s3.eu-west-1.amazonaws.com", "eu-west-1", "eu-west-1", nil), ("s3.eu-west-1.amazonaws.com", "eu-west-1", "EU", nil),
            ("s3.eu-west-1.amazonaws.com", "eu-west-1", "us-west-2", "IllegalLocationConstraintException"),
            ("s3.eu-west-1.amazonaws.com", "eu-west-1", "", "IllegalLocationConstraintException"),
            ("s3.eu-west-1.amazonaws.com", "us-east-1", "eu-west-1", "AuthorizationHeaderMalformed"),
            ("s3.amazonaws.com", "aws-global", "", "AuthorizationHeaderMalformed"),
        ] as [(String, String, String, String?)])
    func creation(_ host: String, _ region: String, _ constraint: String, _ code: String?) async throws {
        try await S3Sandbox.run { s3 async throws in
            let document = "<CreateBucketConfiguration><LocationConstraint>\(constraint)</LocationConstraint></CreateBucketConfiguration>"
            let answer = try await s3.send(
                .put, "/made", body: constraint.isEmpty ? [] : Array(document.utf8), region: region, authority: host)
            #expect(answer.status == (code == nil ? 200 : 400))
            #expect(answer.code == code)
            if code == "IllegalLocationConstraintException" {
                let named = constraint.isEmpty ? "unspecified" : constraint
                #expect(
                    answer.detail("Message")
                        == "The \(named) location constraint is incompatible for the region specific endpoint this request was sent to.")
            }
        }
    }

    @Test("at other hosts any region works for any bucket, unless the rule is strict")
    func rules() async throws {
        try await run { s3 async throws in
            #expect(try await s3.send(.get, "/elsewhere").status == 200)
            #expect(try await s3.send(.get, "/elsewhere", region: "mars").status == 200)
        }
        try await run(rule: .strict) { s3 async throws in
            #expect(try await s3.send(.get, "/elsewhere").code == "AuthorizationHeaderMalformed")
            #expect(try await s3.send(.get, "/elsewhere", region: "eu-west-1").status == 200)
            #expect(try await s3.send(.get, "/", region: "eu-west-1").status == 200)
            let named = try await s3.send(
                .get, "/", region: "us-west-2", bucketFromHost: "elsewhere", authority: "elsewhere.s3.us-west-2.localhost:4566")
            #expect(named.status == 301)
            #expect(named.detail("Bucket") == "elsewhere")
        }
        try await run(rule: .any) { s3 async throws in
            #expect(try await s3.send(.get, "/elsewhere", authority: "s3.us-west-2.amazonaws.com").status == 200)
        }
    }

    @Test("Signature Version 2 is refused in regions opened since 2014")
    func version2() async throws {
        try await run("eu-central-1", rule: .strict) { s3 async throws in
            for (target, isTaken) in [("/elsewhere", false), ("/files", true)] {
                let date = s3.cloud.clock.now.httpDate
                let signature = SignatureV2.signature(of: "GET\n\n\n\(date)\n\(target)", secret: "test")
                var fields: HTTPFields = [.authorization: "AWS test:\(signature)"]
                fields.append(HTTPField(name: .date, value: date))
                let answer = try await s3.send(.get, target, fields, [])
                #expect(answer.status == (isTaken ? 200 : 400))
                #expect(answer.code == (isTaken ? nil : "InvalidRequest"))
                #expect(
                    answer.detail("Message")
                        == (isTaken
                            ? nil : "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256."))
            }
        }
    }

    @Test("a browser's form for another region is refused with an error about its field")
    func form() async throws {
        try await run(rule: .strict) { s3 async throws in
            let form = PostObjectTests.Form.signed(at: s3.cloud.clock.now)
            let answer = try await s3.send(
                .post, "/elsewhere", ["Content-Type": "multipart/form-data; boundary=\"b\""], body: form.body, as: .nobody)
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
            #expect(answer.detail("ArgumentName") == "X-Amz-Credential")
            #expect(answer.detail("Message") == "the region 'us-east-1' is wrong; expecting 'eu-west-1'")
            #expect(answer.detail("Region") == "eu-west-1")
        }
    }

    @Test("the log reports once that a signature was for another region")
    func log() async throws {
        let lines = Lines()
        try await run(logger: Logger(label: "test") { _ in lines }) { s3 async throws in
            #expect(try await s3.send(.get, "/files").status == 200)
            #expect(lines.texts.isEmpty)
            for _ in 0..<2 { #expect(try await s3.send(.get, "/elsewhere").status == 200) }
            try #require(lines.texts.count == 1)
            #expect(lines.texts[0].contains("another region than its bucket's"))
        }
    }

    @Test("the accelerated host serves only accelerated buckets")
    func acceleration() async throws {
        try await run { s3 async throws in
            func get() async throws -> FaceAnswer {
                try await s3.send(.get, "/public/hello.txt", bucketFromHost: "files", authority: "files.s3-accelerate.amazonaws.com")
            }
            for (state, message) in [
                (nil, "S3 Transfer Acceleration is not configured on this bucket"), ("Enabled", nil),
                ("Suspended", "S3 Transfer Acceleration is disabled on this bucket"),
            ] as [(String?, String?)] {
                if let state {
                    let document = "<AccelerateConfiguration><Status>\(state)</Status></AccelerateConfiguration>"
                    #expect(try await s3.send(.put, "/files?accelerate", body: Array(document.utf8)).status == 200)
                }
                let answer = try await get()
                #expect(answer.status == (message == nil ? 200 : 400))
                #expect(answer.detail("Message") == message)
                if message != nil { #expect(answer.code == "InvalidRequest") }
            }
        }
    }

    @Test("HeadBucket returns the region to callers without permission as well")
    func head() async throws {
        try await run { s3 async throws in
            let answer = try await s3.send(.head, "/elsewhere", as: .nobody)
            #expect(answer.status == 403)
            #expect(answer["x-amz-bucket-region"] == "eu-west-1")
        }
    }
}

/// A log handler that records its lines.
private final class Lines: LogHandler {
    private let kept = Mutex<[String]>([])
    var texts: [String] { kept.withLock { $0 } }
    var logLevel: Logger.Level {
        get { .notice }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { kept.withLock { $0.append("\(event.message)") } }
}
