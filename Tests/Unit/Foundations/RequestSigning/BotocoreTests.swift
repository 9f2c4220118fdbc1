import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("Signature V4 compared with botocore")
struct BotocoreTests {
    private static let published = Result { try BotocoreVectors.load() }
    static let vectors = (try? published.get().vectors) ?? []

    private let published: BotocoreVectors

    init() throws {
        published = try Self.published.get()
    }

    @Test("the vectors exist")
    func isLoaded() {
        #expect(Self.vectors.count > 50)
    }

    @Test("botocore's signatures are verified", arguments: vectors)
    func verifies(vector: BotocoreVectors.Vector) throws {
        let request = vector.signed
        let presented = try #require(try SignatureV4.Presented(request))
        #expect(presented.accessKey == published.accessKey)
        #expect(presented.scope.region == vector.region)
        #expect(presented.scope.service == vector.service)
        #expect(presented.timestamp.basic == published.timestamp)
        #expect(presented.sessionToken == vector.sessionToken)
        #expect(presented.expires == (vector.isPresigned ? .seconds(vector.expires) : nil))
        #expect(presented.headersNotSigned(in: request) == [])
        let payload = try PayloadHash(vector.payload)
        if vector.service == "s3" { #expect(try presented.payloadHash(of: request) == payload) }
        let key = ScopedSigningKey(secret: published.secret, scope: presented.scope)
        try presented.verify(request, payload: payload, path: vector.path, key: key)
    }

    @Test("the canonical request is botocore's, which the error for a wrong secret contains", arguments: vectors)
    func mismatches(vector: BotocoreVectors.Vector) throws {
        let presented = try #require(try SignatureV4.Presented(vector.signed))
        let payload = try PayloadHash(vector.payload)
        let key = ScopedSigningKey(secret: "wrong", scope: presented.scope)
        let mismatch = #expect(throws: SignatureMismatch.self) {
            try presented.verify(vector.signed, payload: payload, path: vector.path, key: key)
        }
        #expect(mismatch?.signatureProvided == presented.signature)
        #expect(String(decoding: mismatch?.canonicalRequest ?? [], as: UTF8.self) == vector.canonicalRequest)
        let stringToSign = String(decoding: mismatch?.stringToSign ?? [], as: UTF8.self)
        #expect(stringToSign.hasPrefix("AWS4-HMAC-SHA256\n\(published.timestamp)\n\(presented.scope.text)\n"))
    }

    @Test("our signer gives botocore's signature", arguments: vectors)
    func signs(vector: BotocoreVectors.Vector) throws {
        let expected = try #require(try SignatureV4.Presented(vector.signed)).signature
        let signer = SignatureV4.Signer(
            accessKey: published.accessKey, secret: published.secret, sessionToken: vector.sessionToken, region: vector.region,
            service: vector.service)
        let moment = try #require(Timestamp(basic: published.timestamp))
        var request = vector.unsigned
        if vector.isPresigned {
            let target = signer.presign(request, expires: .seconds(vector.expires), at: moment)
            request = SignableRequest(method: request.method, target: target, authority: request.authority, fields: request.fields)
        } else if request.fields[.date] == nil {
            signer.sign(&request, payload: try PayloadHash(vector.payload), at: moment)
        } else {
            // botocore signs with the Date header if there is one; our signer always adds X-Amz-Date.
            return
        }
        #expect(try SignatureV4.Presented(request)?.signature == expected)
    }
}
