import RequestSigning
import Testing
import WireFormats

@Suite("Signature of a form for OSS")
struct OSSFormSignatureTests {
    private static let secret = OSSVectors.secret
    private static let v1Policy =
        "eyJleHBpcmF0aW9uIjoiMjAyMy0xMi0xNlQxNzoyMDo1Ny4wMDBaIiwiY29uZGl0aW9ucyI6W3siYnVja2V0IjoiZXhhbXBsZWJ1Y2tldCJ9LFsic3RhcnRzLXdpdGgiLCIka2V5IiwidXNlci8iXSxbImNvbnRlbnQtbGVuZ3RoLXJhbmdlIiwwLDEwNDg1NzZdXX0="
    private static let v4Text =
        #"{"expiration":"2023-12-16T17:20:57.000Z","conditions":[{"bucket":"examplebucket"},{"x-oss-signature-version":"OSS4-HMAC-SHA256"},{"x-oss-credential":"LTAI5tMockAccessKeyId01/20231216/cn-hangzhou/oss/aliyun_v4_request"},{"x-oss-date":"20231216T162057Z"},["starts-with","$key","user/"]]}"#

    private let v1 = [
        "policy": v1Policy, "ossaccesskeyid": OSSVectors.accessKey, "signature": "FZuSLdsxESQr9FSt6rNc9+LUiFA=",
        "x-oss-security-token": "t",
    ]
    private let v4 = [
        "policy": Array(v4Text.utf8).base64, "x-oss-signature-version": "OSS4-HMAC-SHA256",
        "x-oss-credential": "LTAI5tMockAccessKeyId01/20231216/cn-hangzhou/oss/aliyun_v4_request", "x-oss-date": "20231216T162057Z",
        "x-oss-signature": "e14ec28066091cba49c29bd49de40777adc739a5a9225090b016142a0ef8eedc",
    ]

    private func verify(_ form: FormSignature, secret: String = secret) throws {
        try form.verify(secret: secret) { ScopedSigningKey(secret: secret, scope: $0) }
    }

    @Test("of Version 1 is verified, and not for another policy")
    func version1() throws {
        var form = try #require(try FormSignature.ofOSS({ v1[$0] }))
        #expect(form.version == .plain(.alibabaCloud))
        #expect(form.sessionToken == "t")
        #expect(form.accessKey == OSSVectors.accessKey)
        try verify(form)
        #expect(throws: SignatureMismatch.self) { try verify(form, secret: "x") }
        form.policy += "="
        #expect(throws: SignatureMismatch.self) { try verify(form) }
    }

    @Test("of Version 4 is verified, and not for another policy")
    func version4() throws {
        var form = try #require(try FormSignature.ofOSS({ v4[$0] }))
        #expect(form.credential == v4["x-oss-credential"])
        #expect(form.sessionToken == nil)
        guard case .v4(let scope, OSSVectors.time) = form.version else { throw OSSSignatureTests.Unexpected() }
        #expect(scope.region == "cn-hangzhou")
        #expect(scope.service == "oss")
        try verify(form)
        form.policy += "="
        #expect(throws: SignatureMismatch.self) { try verify(form) }
    }

    @Test("is absent in a form without its fields")
    func absent() throws {
        #expect(try FormSignature.ofOSS({ $0 == "policy" ? "x" : nil }) == nil)
    }

    static let faults: [(String, String?, FormSignatureError)] = [
        ("policy", nil, .missingField("policy")), ("x-oss-signature", nil, .missingField("x-oss-signature")),
        ("x-oss-date", "", .missingField("x-oss-date")), ("x-oss-date", "today", .malformedDate("today")),
        ("x-oss-signature-version", "OSS2", .unsupportedAlgorithm("OSS2")),
        ("x-oss-credential", "a/b", .malformedCredential("a/b", .parts)),
        (
            "x-oss-credential", "k/20231217/r/oss/aliyun_v4_request",
            .malformedCredential("k/20231217/r/oss/aliyun_v4_request", .date("20231217"))
        ),
    ]

    @Test("that is malformed is refused", arguments: faults)
    func malformed(name: String, value: String?, fault: FormSignatureError) {
        var fields = v4
        fields[name] = value
        #expect(throws: fault) { try FormSignature.ofOSS({ fields[$0] }) }
    }

    @Test("of Version 1 requires both of its fields", arguments: [("signature", "OSSAccessKeyId"), ("ossaccesskeyid", "Signature")])
    func incomplete(present: String, missing: String) {
        #expect(throws: FormSignatureError.missingField(missing)) { try FormSignature.ofOSS({ [present: "x", "policy": "x"][$0] }) }
    }
}
