import HTTPTypes
import RequestSigning
import Testing
import WireFormats

/// Made by alibabacloud-tea-openapi 0.4.6.
@Suite("Signature ACS3-HMAC-SHA256")
struct ACS3SignatureTests {
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let nonce = "3156853299f313e23d1673dc12e1703d"

    struct Vector: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var target: String
        var fields: [(String, String)]
        var accessKey = OSSVectors.accessKey
        var secret = OSSVectors.secret
        var token: String?
        var signedHeaders: String
        var canonicalRequest: String
        var hash: String
        var signature: String

        func request() throws -> SignableRequest {
            var request = SignableRequest(method: "POST", target: target, authority: "127.0.0.1:9000")
            let authorization = "ACS3-HMAC-SHA256 Credential=\(accessKey),SignedHeaders=\(signedHeaders),Signature=\(signature)"
            for (name, value) in fields + [("Authorization", authorization)] {
                request.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
            }
            return request
        }
    }

    static let vectors = [
        Vector(
            testDescription: "ACS3-1",
            target: "/?RoleArn=acs%3Aram%3A%3A1234567890123456%3Arole%2Fdemo-role&RoleSessionName=alice-001&DurationSeconds=3600",
            fields: [
                ("accept", "application/json"), ("user-agent", "mock-ua/1.0"), ("x-acs-action", "AssumeRole"),
                ("x-acs-content-sha256", empty), ("x-acs-date", "2023-12-16T16:20:57Z"), ("x-acs-signature-nonce", nonce),
                ("x-acs-version", "2015-04-01"), ("x-acs-credentials-provider", "static_ak"),
            ],
            signedHeaders:
                "accept;host;user-agent;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version",
            canonicalRequest: """
                POST
                /
                DurationSeconds=3600&RoleArn=acs%3Aram%3A%3A1234567890123456%3Arole%2Fdemo-role&RoleSessionName=alice-001
                accept:application/json
                host:127.0.0.1:9000
                user-agent:mock-ua/1.0
                x-acs-action:AssumeRole
                x-acs-content-sha256:\(empty)
                x-acs-date:2023-12-16T16:20:57Z
                x-acs-signature-nonce:\(nonce)
                x-acs-version:2015-04-01

                accept;host;user-agent;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version
                \(empty)
                """,
            hash: "06f5d1d9a7766e2bb05bb7f1ceaecfad5eff30f15a53e534a7139fa2fcbc13f9",
            signature: "f88b7265a4591cf4e08263038be06e8d25278a4e47104d464f20ae21d6e885cf"),
        Vector(
            testDescription: "ACS3-2", target: "/",
            fields: [
                ("x-acs-accesskey-id", OSSVectors.temporaryKey), ("x-acs-action", "GetCallerIdentity"), ("x-acs-content-sha256", empty),
                ("x-acs-date", "2023-12-16T16:20:57Z"), ("x-acs-security-token", OSSVectors.token), ("x-acs-signature-nonce", nonce),
                ("x-acs-version", "2015-04-01"),
            ], accessKey: OSSVectors.temporaryKey, secret: OSSVectors.temporarySecret, token: OSSVectors.token,
            signedHeaders:
                "host;x-acs-accesskey-id;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-security-token;x-acs-signature-nonce;x-acs-version",
            canonicalRequest: """
                POST
                /

                host:127.0.0.1:9000
                x-acs-accesskey-id:STS.NUMockStsKeyId0001
                x-acs-action:GetCallerIdentity
                x-acs-content-sha256:\(empty)
                x-acs-date:2023-12-16T16:20:57Z
                x-acs-security-token:CAISMockSecurityToken+/0123==
                x-acs-signature-nonce:\(nonce)
                x-acs-version:2015-04-01

                host;x-acs-accesskey-id;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-security-token;x-acs-signature-nonce;x-acs-version
                \(empty)
                """,
            hash: "8be4eb2fd9274b5fa86cc0c3ee432629055ef976105847542e6d4fb1f0e2d936",
            signature: "e8bc9b6e048ce9d02cde53965d0431d15275f19aab104d5644d7a93c21340d27"),
    ]

    @Test("of the SDK's requests is verified, and no other", arguments: vectors)
    func verifies(vector: Vector) throws {
        let request = try vector.request()
        let presented = try #require(try ACS3Signature.Presented(request, body: []))
        #expect(presented.accessKey == vector.accessKey)
        #expect(presented.sessionToken == vector.token)
        #expect(presented.timestamp == OSSVectors.time)
        #expect(presented.nonce == Self.nonce)
        try presented.verify(request, body: [], secret: vector.secret)
        var other = request
        other.query = RawQuery("DurationSeconds=900")
        #expect(throws: SignatureMismatch.self) { try presented.verify(other, body: [], secret: vector.secret) }
        let mismatch = #expect(throws: SignatureMismatch.self) { try presented.verify(request, body: [], secret: "x") }
        #expect(mismatch?.canonicalRequest.map { String(decoding: $0, as: UTF8.self) } == vector.canonicalRequest)
        #expect(mismatch.map { String(decoding: $0.stringToSign, as: UTF8.self) } == "ACS3-HMAC-SHA256\n\(vector.hash)")
    }

    @Test("of ours is one that we verify, with the body")
    func signs() throws {
        let body = Array("a=b".utf8)
        var request = SignableRequest(method: "POST", target: "", authority: "h", fields: [.contentType: "text/plain"])
        ACS3Signature.sign(&request, body: body, accessKey: "k", secret: "s", sessionToken: "t", nonce: "n", at: OSSVectors.time)
        let presented = try #require(try ACS3Signature.Presented(request, body: body))
        #expect(presented.sessionToken == "t")
        #expect(presented.signedHeaders.contains("content-type"))
        try presented.verify(request, body: body, secret: "s")
        #expect(throws: RPCSignatureError.self) { try ACS3Signature.Presented(request, body: []) }
    }

    @Test("is absent if the Authorization header has another scheme", arguments: ["OSS k:s", "Bearer x"])
    func absent(authorization: String) throws {
        let request = SignableRequest(method: "POST", target: "/", authority: "h", fields: [.authorization: authorization])
        #expect(try ACS3Signature.Presented(request, body: []) == nil)
    }

    @Test("does not repeat the value of a header that is named again")
    func repeatedHeaders() throws {
        var vector = Self.vectors[0]
        vector.signedHeaders += String(repeating: ";x-long", count: 1000)
        var request = try vector.request()
        request.fields[try #require(HTTPField.Name("x-long"))] = String(repeating: "v", count: 10_000)
        let presented = try #require(try ACS3Signature.Presented(request, body: []))
        let mismatch = #expect(throws: SignatureMismatch.self) { try presented.verify(request, body: [], secret: "x") }
        #expect(10_000..<40_000 ~= mismatch?.canonicalRequest?.count ?? 0)
    }

    @Test(
        "must cover what could be changed or replayed",
        arguments: ["host", "x-acs-action", "x-acs-content-sha256", "x-acs-date", "x-acs-signature-nonce", "x-acs-version"])
    func coverage(name: String) throws {
        var vector = Self.vectors[0]
        vector.signedHeaders = vector.signedHeaders.split(separator: ";").filter { $0 != name }.joined(separator: ";")
        let request = try vector.request()
        #expect(throws: RPCSignatureError.notSigned(name)) { try ACS3Signature.Presented(request, body: []) }
    }

    static let faults: [(String, String?, RPCSignatureError)] = [
        ("x-acs-date", nil, .missing("x-acs-date")), ("x-acs-date", "today", .malformedTimestamp("today")),
        ("x-acs-signature-nonce", nil, .missing("x-acs-signature-nonce")), ("x-acs-content-sha256", nil, .missing("x-acs-content-sha256")),
        ("x-acs-content-sha256", "00", .payloadHash("00")),
        ("Authorization", "ACS3-HMAC-SHA256 Credential=k", .malformedAuthorization("ACS3-HMAC-SHA256 Credential=k")),
        ("Authorization", "ACS3-HMAC-SHA256", .malformedAuthorization("ACS3-HMAC-SHA256")),
        (
            "Authorization", "ACS3-HMAC-SHA256 Credential=k,Signature,SignedHeaders=a",
            .malformedAuthorization("ACS3-HMAC-SHA256 Credential=k,Signature,SignedHeaders=a")
        ),
    ]

    @Test("that is malformed is refused", arguments: faults)
    func malformed(name: String, value: String?, fault: RPCSignatureError) throws {
        var request = try Self.vectors[0].request()
        request.fields[try #require(HTTPField.Name(name))] = value
        let refused = request
        #expect(throws: fault) { try ACS3Signature.Presented(refused, body: []) }
    }
}
