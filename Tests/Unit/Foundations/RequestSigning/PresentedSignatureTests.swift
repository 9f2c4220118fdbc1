import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("Signature V4 in a request")
struct PresentedSignatureTests {
    private static let credential = "AK/20130524/us-east-1/s3/aws4_request"
    private static let amzDate = HTTPField.Name("x-amz-date")

    private func header(_ authorization: String, date: String? = "20130524T000000Z") throws -> SignatureV4.Presented? {
        var request = SignableRequest(method: "GET", target: "/", authority: "h", fields: [.authorization: authorization])
        request.fields[try #require(Self.amzDate)] = date
        return try SignatureV4.Presented(request)
    }

    /// Marks a parameter that is left out.
    private static let absent = "absent"

    private func query(_ changes: [String: String] = [:]) throws -> SignatureV4.Presented? {
        let parameters = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", Self.credential), ("X-Amz-Date", "20130524T000000Z"),
            ("X-Amz-Expires", "60"), ("X-Amz-SignedHeaders", "host"), ("X-Amz-Signature", "s"),
        ]
        let text = parameters.map { ($0, changes[$0] ?? $1) }.filter { $0.1 != Self.absent }
            .map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
        return try SignatureV4.Presented(SignableRequest(method: "GET", target: "/?\(text)", authority: "h"))
    }

    @Test("components may come in any order, with or without spaces after the commas", arguments: [",", ", ", " , ", ",   "])
    func spacing(comma: String) throws {
        let parts = ["SignedHeaders=host;X-Amz-Date", "Credential=\(Self.credential)", "Signature=abc"]
        let presented = try #require(try header("AWS4-HMAC-SHA256 " + parts.joined(separator: comma)))
        #expect(presented.place == .header)
        #expect(presented.accessKey == "AK")
        #expect(presented.scope == CredentialScope(date: "20130524", region: "us-east-1", service: "s3"))
        #expect(presented.signedHeaders == ["host", "x-amz-date"])
        #expect(presented.signature == "abc")
        #expect(presented.sessionToken == nil)
    }

    @Test("a repeated signed header does not lengthen the canonical request by its value", arguments: [3, 5000])
    func repeatedHeaders(count: Int) throws {
        let value = String(repeating: "v", count: 10_000)
        let names = "host" + String(repeating: ";date", count: count)
        let request = SignableRequest(
            method: "GET", target: "/", authority: "h",
            fields: [
                .authorization: "AWS4-HMAC-SHA256 Credential=\(Self.credential),SignedHeaders=\(names),Signature=s", .date: value,
                try #require(Self.amzDate): "20130524T000000Z",
            ])
        let presented = try #require(try SignatureV4.Presented(request))
        let key = ScopedSigningKey(secret: "s", scope: presented.scope)
        let mismatch = #expect(throws: SignatureMismatch.self) {
            try presented.verify(request, payload: .unsigned, path: .asReceived, key: key)
        }
        let canonical = String(decoding: mismatch?.canonicalRequest ?? [], as: UTF8.self)
        #expect(canonical.hasPrefix("GET\n/\n\nhost:h\ndate:\(value)\ndate:\ndate:\n"))
        #expect(canonical.hasSuffix("date:\n\n\(names)\nUNSIGNED-PAYLOAD"))
    }

    @Test("the region may be empty")
    func emptyRegion() throws {
        let presented = try header("AWS4-HMAC-SHA256 Credential=AK/20130524//s3/aws4_request,SignedHeaders=host,Signature=s")
        #expect(presented?.scope.region == "")
    }

    @Test("a request without Signature V4 has none", arguments: ["Bearer x", "AWS AK:sig", "OSS AK:sig", "Basic YTpi"])
    func others(authorization: String) throws {
        #expect(try header(authorization) == nil)
        #expect(try SignatureV4.Presented(SignableRequest(method: "GET", target: "/?a=b", authority: "h")) == nil)
    }

    static let malformedHeaders: [(String, SigningError)] = [
        ("AWS4-ECDSA-P256-SHA256 Credential=x", .unsupportedAlgorithm("AWS4-ECDSA-P256-SHA256")),
        ("AWS4-HMAC-SHA256", .missingComponents(["Credential", "SignedHeaders", "Signature"])),
        ("AWS4-HMAC-SHA256 Credential=\(credential),Signature=s", .missingComponents(["SignedHeaders"])),
        ("AWS4-HMAC-SHA256 Credential=,SignedHeaders=host,Signature=", .missingComponents(["Credential", "Signature"])),
        ("AWS4-HMAC-SHA256 Credential", .malformedComponent("Credential")),
        ("AWS4-HMAC-SHA256 Signature=a,Signature=b", .malformedComponent("Signature=b")),
        ("AWS4-HMAC-SHA256 Credential=\(credential),SignedHeaders=range,Signature=s", .hostNotSigned),
    ]

    @Test("malformed headers have different errors", arguments: malformedHeaders)
    func refusesHeader(authorization: String, error: SigningError) {
        #expect(throws: error) { try header(authorization) }
    }

    static let malformedCredentials: [(String, SigningError)] = [
        ("AK/20130524/us-east-1/s3", .malformedCredential("AK/20130524/us-east-1/s3", .parts)),
        ("A/B/20130524/us-east-1/s3/aws4_request", .malformedCredential("A/B/20130524/us-east-1/s3/aws4_request", .parts)),
        ("/20130524/r/s3/aws4_request", .malformedCredential("/20130524/r/s3/aws4_request", .emptyAccessKey)),
        ("AK/2013-05-24/r/s3/aws4_request", .malformedCredential("AK/2013-05-24/r/s3/aws4_request", .date("2013-05-24"))),
        ("AK/20130532/r/s3/aws4_request", .malformedCredential("AK/20130532/r/s3/aws4_request", .date("20130532"))),
        ("AK/20130524/r/s3/aws4", .malformedCredential("AK/20130524/r/s3/aws4", .terminator("aws4"))),
        ("AK/20130523/r/s3/aws4_request", .credentialDate("20130523", requestDate: "20130524")),
    ]

    @Test("malformed credentials have different errors, the same in header and query", arguments: malformedCredentials)
    func refusesCredential(credential: String, error: SigningError) {
        #expect(throws: error) { try header("AWS4-HMAC-SHA256 Credential=\(credential),SignedHeaders=host,Signature=s") }
        #expect(throws: error) { try query(["X-Amz-Credential": credential]) }
    }

    @Test("X-Amz-Date is preferred to Date, which is enough alone")
    func dates() throws {
        let authorization = "AWS4-HMAC-SHA256 Credential=\(Self.credential),SignedHeaders=host,Signature=s"
        #expect(throws: SigningError.missingDate) { try header(authorization, date: nil) }
        #expect(throws: SigningError.missingDate) { try header(authorization, date: "") }
        #expect(throws: SigningError.malformedDate("yesterday")) { try header(authorization, date: "yesterday") }
        var request = SignableRequest(method: "GET", target: "/", authority: "h", fields: [.authorization: authorization])
        request.fields[.date] = "Fri, 24 May 2013 10:00:00 GMT"
        #expect(try SignatureV4.Presented(request)?.timestamp.basic == "20130524T100000Z")
        request.fields[try #require(Self.amzDate)] = "20130524T110000Z"
        #expect(try SignatureV4.Presented(request)?.timestamp.basic == "20130524T110000Z")
    }

    static let malformedQueries: [([String: String], SigningError)] = [
        (["X-Amz-Algorithm": "AWS4"], .unsupportedAlgorithm("AWS4")),
        (["X-Amz-Algorithm": absent], .missingParameters(["X-Amz-Algorithm"])),
        (["X-Amz-Date": absent, "X-Amz-Signature": ""], .missingParameters(["X-Amz-Date", "X-Amz-Signature"])),
        (["X-Amz-Date": "Fri, 24 May 2013 10:00:00 GMT"], .malformedDate("Fri, 24 May 2013 10:00:00 GMT")),
        (["X-Amz-Expires": "a"], .malformedExpires("a")), (["X-Amz-Expires": ""], .malformedExpires("")),
        (["X-Amz-Expires": "1.5"], .malformedExpires("1.5")), (["X-Amz-Expires": "-1"], .negativeExpires),
        (["X-Amz-Expires": "604801"], .excessiveExpires), (["X-Amz-Expires": "99999999999999999999"], .excessiveExpires),
        (["X-Amz-SignedHeaders": "x-amz-date"], .hostNotSigned),
    ]

    @Test("malformed queries have different errors", arguments: malformedQueries)
    func refusesQuery(changes: [String: String], error: SigningError) {
        #expect(throws: error) { try query(changes) }
    }

    @Test("a query without X-Amz-Expires has no signature, and a week is allowed")
    func expires() throws {
        #expect(try query(["X-Amz-Expires": Self.absent])?.expires == nil)
        #expect(try query(["X-Amz-Expires": "604800"])?.expires == .seconds(604_800))
        #expect(try query(["X-Amz-Expires": "0"])?.expires == .zero)
    }

    @Test("a signature in the header and another in the query are refused")
    func severalMechanisms() {
        let authorization = "AWS4-HMAC-SHA256 Credential=\(Self.credential),SignedHeaders=host,Signature=s"
        let request = SignableRequest(
            method: "GET", target: "/?X-Amz-Signature=s", authority: "h", fields: [.authorization: authorization])
        #expect(throws: SigningError.severalMechanisms) { try SignatureV4.Presented(request) }
    }

    @Test("x-amz headers that the signature does not cover are listed")
    func headersNotSigned() throws {
        let presented = try #require(try query())
        var request = SignableRequest(method: "GET", target: "/", authority: "h", fields: [.range: "bytes=0-1"])
        for name in ["X-Amz-Acl", "x-amz-meta-a", "x-amz-meta-a", "x-amzn-trace-id"] {
            request.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: "v"))
        }
        #expect(presented.headersNotSigned(in: request) == ["x-amz-acl", "x-amz-meta-a"])
    }

    @Test("only the keywords of the payload hash and hexadecimal digests are accepted")
    func payloadHash() throws {
        let words = [
            "UNSIGNED-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
            "STREAMING-UNSIGNED-PAYLOAD-TRAILER", PublishedExample.emptyHash, PublishedExample.emptyHash.uppercased(),
        ]
        for word in words { #expect(try PayloadHash(word).text == word) }
        #expect(try PayloadHash(PublishedExample.emptyHash).digest == [UInt8](hex: PublishedExample.emptyHash))
        #expect(PayloadHash.unsigned.digest == nil)
        for other in ["", "unsigned-payload", "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", String(PublishedExample.emptyHash.dropLast())] {
            #expect(throws: SigningError.invalidPayloadHash(other)) { try PayloadHash(other) }
        }
    }

    @Test("a header without a payload hash has none, a query is unsigned")
    func absentPayloadHash() throws {
        let request = SignableRequest(method: "GET", target: "/", authority: "h")
        let inHeader = try header("AWS4-HMAC-SHA256 Credential=\(Self.credential),SignedHeaders=host,Signature=s")
        #expect(try inHeader?.payloadHash(of: request) == nil)
        #expect(try query()?.payloadHash(of: request) == .unsigned)
        let hoisted = SignableRequest(method: "GET", target: "/?X-Amz-Content-Sha256=\(PublishedExample.emptyHash)", authority: "h")
        #expect(try query()?.payloadHash(of: hoisted) == .sha256(PublishedExample.emptyHash))
    }

    @Test(
        "outside of signed headers every other payload hash is one that no body has",
        arguments: [
            ("UNSIGNED-PAYLOAD", PayloadHash.unsigned), (PublishedExample.emptyHash, .sha256(PublishedExample.emptyHash)),
            ("invalid", .other("invalid")), ("unsigned-payload", .other("unsigned-payload")),
            ("STREAMING-UNSIGNED-PAYLOAD-TRAILER", .other("STREAMING-UNSIGNED-PAYLOAD-TRAILER")),
            ("STREAMING-AWS4-HMAC-SHA256-PAYLOAD", .other("STREAMING-AWS4-HMAC-SHA256-PAYLOAD")),
        ])
    func otherPayloadHashes(text: String, payload: PayloadHash) throws {
        #expect(PayloadHash(outsideHeaderSignature: text) == payload)
        #expect(payload.text == text)
        #expect(payload.coversWholeBody == (payload != .unsigned))
        let hoisted = SignableRequest(method: "GET", target: "/?X-Amz-Content-Sha256=\(text)", authority: "h")
        #expect(try query()?.payloadHash(of: hoisted) == payload)
    }

    @Test("a cached signing key equals the derived one, even if the cache is full")
    func cache() throws {
        let cache = SigningKeyCache(capacity: 2)
        for index in [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 6, 6, 0] {
            let signer = SignatureV4.Signer(accessKey: "AK", secret: "secret \(index)", region: "r", service: "s3")
            var request = SignableRequest(method: "GET", target: "/", authority: "h")
            signer.sign(&request, payload: .unsigned, at: Timestamp(seconds: 1_369_353_600))
            let presented = try #require(try SignatureV4.Presented(request))
            let key = cache.key(secret: "secret \(index)", scope: presented.scope)
            try presented.verify(request, payload: .unsigned, path: .asReceived, key: key)
            let other = cache.key(secret: "secret \(index + 1)", scope: presented.scope)
            #expect(throws: SignatureMismatch.self) {
                try presented.verify(request, payload: .unsigned, path: .asReceived, key: other)
            }
        }
    }
}
