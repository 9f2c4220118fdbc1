import RequestSigning
import Testing
import WireFormats

@Suite("The signature of a form")
struct FormSignatureTests {
    /// "Example: Browser-based upload using HTTP POST (using AWS signature version 4)" in the S3 API Reference.
    private let published = [
        "policy":
            "eyAiZXhwaXJhdGlvbiI6ICIyMDE1LTEyLTMwVDEyOjAwOjAwLjAwMFoiLA0KICAiY29uZGl0aW9ucyI6IFsNCiAgICB7ImJ1Y2tldCI6ICJzaWd2NGV4YW1wbGVidWNrZXQifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci91c2VyMS8iXSwNCiAgICB7ImFjbCI6ICJwdWJsaWMtcmVhZCJ9LA0KICAgIHsic3VjY2Vzc19hY3Rpb25fcmVkaXJlY3QiOiAiaHR0cDovL3NpZ3Y0ZXhhbXBsZWJ1Y2tldC5zMy5hbWF6b25hd3MuY29tL3N1Y2Nlc3NmdWxfdXBsb2FkLmh0bWwifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRDb250ZW50LVR5cGUiLCAiaW1hZ2UvIl0sDQogICAgeyJ4LWFtei1tZXRhLXV1aWQiOiAiMTQzNjUxMjM2NTEyNzQifSwNCiAgICB7IngtYW16LXNlcnZlci1zaWRlLWVuY3J5cHRpb24iOiAiQUVTMjU2In0sDQogICAgWyJzdGFydHMtd2l0aCIsICIkeC1hbXotbWV0YS10YWciLCAiIl0sDQoNCiAgICB7IngtYW16LWNyZWRlbnRpYWwiOiAiQUtJQUlPU0ZPRE5ON0VYQU1QTEUvMjAxNTEyMjkvdXMtZWFzdC0xL3MzL2F3czRfcmVxdWVzdCJ9LA0KICAgIHsieC1hbXotYWxnb3JpdGhtIjogIkFXUzQtSE1BQy1TSEEyNTYifSwNCiAgICB7IngtYW16LWRhdGUiOiAiMjAxNTEyMjlUMDAwMDAwWiIgfQ0KICBdDQp9",
        "x-amz-algorithm": "AWS4-HMAC-SHA256",
        "x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request", "x-amz-date": "20151229T000000Z",
        "x-amz-signature": "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e",
    ]

    private func verify(_ form: FormSignature, secret: String) throws {
        try form.verify(secret: secret) { ScopedSigningKey(secret: secret, scope: $0) }
    }

    @Test("of the published example is verified, and not for another policy")
    func version4() throws {
        var form = try #require(try FormSignature { published[$0] })
        #expect(form.accessKey == "AKIAIOSFODNN7EXAMPLE")
        #expect(form.credential == published["x-amz-credential"])
        try verify(form, secret: SignatureV2Tests.secret)
        form.policy += "="
        let mismatch = #expect(throws: SignatureMismatch.self) { try verify(form, secret: SignatureV2Tests.secret) }
        #expect(mismatch?.stringToSign == Array(form.policy.utf8))
        #expect(mismatch?.canonicalRequest == nil)
    }

    @Test("of Version 2 is verified")
    func version2() throws {
        let policy = "eyJjb25kaXRpb25zIjpbXX0="
        let fields = [
            "policy": policy, "awsaccesskeyid": "k", "signature": SignatureV2.signature(of: policy, secret: "s"),
            "x-amz-security-token": "t",
        ]
        let form = try #require(try FormSignature { fields[$0] })
        #expect(form.version == .plain(.aws))
        #expect(form.sessionToken == "t")
        #expect(form.accessKey == "k")
        try verify(form, secret: "s")
        #expect(throws: SignatureMismatch.self) { try verify(form, secret: "other") }
    }

    @Test("is absent in a form without its fields")
    func absent() throws {
        #expect(try FormSignature { $0 == "policy" ? "x" : nil } == nil)
    }

    static let faults: [(String, String?, FormSignatureError)] = [
        ("x-amz-signature", nil, .missingField("X-Amz-Signature")), ("x-amz-algorithm", "", .missingField("X-Amz-Algorithm")),
        ("policy", nil, .missingField("Policy")), ("x-amz-date", nil, .missingField("X-Amz-Date")),
        ("x-amz-algorithm", "HMAC", .unsupportedAlgorithm("HMAC")), ("x-amz-date", "today", .malformedDate("today")),
        ("x-amz-credential", "a/b", .malformedCredential("a/b", .parts)),
        ("x-amz-credential", "/20151229/r/s3/aws4_request", .malformedCredential("/20151229/r/s3/aws4_request", .emptyAccessKey)),
        ("x-amz-credential", "a/2015/r/s3/aws4_request", .malformedCredential("a/2015/r/s3/aws4_request", .date("2015"))),
        ("x-amz-credential", "a/20151229/r/s3/aws", .malformedCredential("a/20151229/r/s3/aws", .terminator("aws"))),
    ]

    @Test("that is malformed is refused", arguments: faults)
    func malformed(name: String, value: String?, fault: FormSignatureError) {
        var fields = published
        fields[name] = value
        #expect(throws: fault) { try FormSignature { fields[$0] } }
    }

    @Test("of Version 2 requires both of its fields", arguments: [("signature", "AWSAccessKeyId"), ("awsaccesskeyid", "Signature")])
    func incomplete(present: String, missing: String) {
        #expect(throws: FormSignatureError.missingField(missing)) {
            try FormSignature { [present: "x", "policy": "x"][$0] }
        }
    }
}
