import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("The signature of OSS")
struct OSSSignatureTests {
    private func verify(_ request: SignableRequest, _ resource: OSSResource, secret: String) throws {
        try #require(try OSSSignature.Presented(request)).verify(request, resource: resource, secret: secret) {
            ScopedSigningKey(secret: secret, scope: $0)
        }
    }

    private func secret(of vector: OSSVector) -> String { vector.isTemporary ? OSSVectors.temporarySecret : OSSVectors.secret }

    @Test("of a published request is verified", arguments: OSSVectors.v1 + OSSVectors.v2 + OSSVectors.v4)
    func verifies(vector: OSSVector) throws {
        let request = try vector.request
        let presented = try #require(try OSSSignature.Presented(request))
        #expect(presented.accessKey == (vector.isTemporary ? OSSVectors.temporaryKey : OSSVectors.accessKey))
        #expect(presented.sessionToken == (vector.isTemporary ? OSSVectors.token : nil))
        #expect(presented.isPresigned == (vector.authorization == nil))
        #expect(presented.signature == vector.signature)
        try verify(request, vector.resource, secret: secret(of: vector))
    }

    @Test("of the SDKs' own vectors is verified", arguments: OSSVectors.ofSDKs)
    func verifiesOfSDKs(vector: OSSVector) throws {
        try verify(try vector.request, vector.resource, secret: "sk")
    }

    @Test("has the published string to sign", arguments: OSSVectors.v1 + OSSVectors.v2)
    func stringToSign(vector: OSSVector) throws {
        let request = try vector.request
        let mismatch = #expect(throws: SignatureMismatch.self) { try verify(request, vector.resource, secret: "wrong") }
        let expected = try #require(vector.stringToSign).replacing("|", with: "\n")
        #expect(mismatch.map { String(decoding: $0.stringToSign, as: UTF8.self) } == expected)
        #expect(mismatch?.canonicalRequest == nil)
        #expect(mismatch?.signatureProvided == vector.signature)
    }

    @Test("of Version 4 has the published canonical request", arguments: OSSVectors.v4)
    func canonicalRequest(vector: OSSVector) throws {
        let request = try vector.request
        let mismatch = try #require(#expect(throws: SignatureMismatch.self) { try verify(request, vector.resource, secret: "wrong") })
        if let expected = vector.canonicalRequest?.replacing("|", with: "\n") {
            #expect(mismatch.canonicalRequest.map { String(decoding: $0, as: UTF8.self) } == expected)
        }
        let hash = try #require(vector.canonicalHash)
        #expect(
            String(decoding: mismatch.stringToSign, as: UTF8.self)
                == "OSS4-HMAC-SHA256\n20231216T162057Z\n20231216/cn-hangzhou/oss/aliyun_v4_request\n\(hash)")
    }

    @Test("covers method, resource, secret and every OSS header", arguments: OSSVectors.v1 + OSSVectors.v2 + OSSVectors.v4)
    func tampering(vector: OSSVector) throws {
        let request = try vector.request
        var others = [request, request]
        others[0].method = "DELETE"
        others[1].fields[try #require(HTTPField.Name("x-oss-meta-other"))] = "1"
        for other in others {
            #expect(throws: SignatureMismatch.self) { try verify(other, vector.resource, secret: secret(of: vector)) }
        }
        var resource = vector.resource
        resource.bucket = "another"
        #expect(throws: SignatureMismatch.self) { try verify(request, resource, secret: secret(of: vector)) }
    }

    static let methods: [OSSSignature.Signer.Method] = [.v1, .v2, .v4(region: "cn-hangzhou")]

    private func signer(_ method: OSSSignature.Signer.Method) -> OSSSignature.Signer {
        OSSSignature.Signer(
            accessKey: OSSVectors.temporaryKey, secret: "s", sessionToken: "to/ken", method: method, additionalHeaders: ["Range", "host"])
    }

    @Test("of ours is one that we verify", arguments: methods)
    func signs(method: OSSSignature.Signer.Method) throws {
        var request = SignableRequest(
            method: "GET", target: "/b/k?acl&x-oss-process=image%2Fresize&prefix=%E4%BD%A0+a", authority: "h:1",
            fields: [.range: "bytes=0-1", .contentType: "text/plain"])
        let resource = OSSResource(bucket: "b", key: "你/k")
        signer(method).sign(&request, resource: resource, at: OSSVectors.time)
        let presented = try #require(try OSSSignature.Presented(request))
        #expect(presented.sessionToken == "to/ken")
        #expect(presented.accessKey == OSSVectors.temporaryKey)
        guard case .signed(OSSVectors.time, _) = presented.validity else { throw Unexpected() }
        try verify(request, resource, secret: "s")
        guard method != .v1 else { return }
        #expect(presented.additionalHeaders == ["host", "range"])
        request.fields[.range] = "bytes=0-2"
        #expect(throws: SignatureMismatch.self) { try verify(request, resource, secret: "s") }
    }

    @Test("of ours in a query is one that we verify", arguments: methods)
    func presigns(method: OSSSignature.Signer.Method) throws {
        let request = SignableRequest(
            method: "PUT", target: "/b/k?acl", authority: "h:1", fields: [.range: "bytes=0-1", .contentType: "text/plain"])
        let resource = OSSResource(bucket: "b", key: "k")
        let target = signer(method).presign(request, resource: resource, expires: .seconds(60), at: OSSVectors.time)
        var presigned = SignableRequest(method: "PUT", target: target, authority: "h:1", fields: request.fields)
        let presented = try #require(try OSSSignature.Presented(presigned))
        #expect(presented.isPresigned)
        #expect(presented.sessionToken == "to/ken")
        switch presented.validity {
        case .until(let end):
            #expect(end == OSSVectors.time + .seconds(60))
            #expect(method != .v4(region: "cn-hangzhou"))
        case .lasting(let lifetime, let from):
            #expect(lifetime == .seconds(60))
            #expect(from == OSSVectors.time)
        case .signed: throw Unexpected()
        }
        try verify(presigned, resource, secret: "s")
        presigned.fields[.contentType] = "text/html"
        #expect(throws: SignatureMismatch.self) { try verify(presigned, resource, secret: "s") }
    }

    struct Unexpected: Error {}
}
