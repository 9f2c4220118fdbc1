import HTTPTypes
import RequestSigning
import Testing
import WireFormats

/// The example requests of "Authenticating Requests: Using the Authorization Header" and "Using Query Parameters" in the S3 API Reference,
/// with the keys and the time that they share.
enum PublishedExample {
    static let accessKey = "AKIAIOSFODNN7EXAMPLE"
    static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    static let scope = CredentialScope(date: "20130524", region: "us-east-1", service: "s3")
    static let key = ScopedSigningKey(secret: secret, scope: scope)
    static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    static func request(
        _ method: String, _ target: String, authority: String = "examplebucket.s3.amazonaws.com", payload: String = emptyHash,
        signedHeaders: String, signature: String, _ fields: HTTPFields = [:]
    ) throws -> SignableRequest {
        var request = SignableRequest(method: method, target: target, authority: authority, fields: fields)
        request.fields[.authorization] =
            "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope.text),SignedHeaders=\(signedHeaders),Signature=\(signature)"
        request.fields[try #require(HTTPField.Name("x-amz-date"))] = "20130524T000000Z"
        request.fields[try #require(HTTPField.Name("x-amz-content-sha256"))] = payload
        return request
    }

    static func verify(_ request: SignableRequest) throws {
        let presented = try #require(try SignatureV4.Presented(request))
        let payload = try #require(try presented.payloadHash(of: request))
        #expect(presented.headersNotSigned(in: request) == [])
        try presented.verify(request, payload: payload, path: .asReceived, key: key)
    }
}

@Suite("Signature V4: the published examples of S3")
struct PublishedExamplesTests {
    @Test("GET object with a range")
    func getObject() throws {
        let request = try PublishedExample.request(
            "GET", "/test.txt", signedHeaders: "host;range;x-amz-content-sha256;x-amz-date",
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41", [.range: "bytes=0-9"])
        try PublishedExample.verify(request)
    }

    @Test("PUT object")
    func putObject() throws {
        var request = try PublishedExample.request(
            "PUT", "/test$file.text", payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
            signedHeaders: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
            [.date: "Fri, 24 May 2013 00:00:00 GMT"])
        request.fields[try #require(HTTPField.Name("x-amz-storage-class"))] = "REDUCED_REDUNDANCY"
        try PublishedExample.verify(request)
        #expect(
            PayloadHash(of: Array("Welcome to Amazon S3.".utf8))
                == .sha256("44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"))
    }

    @Test(
        "GET on the bucket",
        arguments: [
            ("/?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            ("/?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ])
    func bucket(target: String, signature: String) throws {
        try PublishedExample.verify(
            PublishedExample.request("GET", target, signedHeaders: "host;x-amz-content-sha256;x-amz-date", signature: signature))
    }

    @Test("presigned GET object")
    func presigned() throws {
        let signature = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        let target =
            "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3"
            + "%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
        let request = SignableRequest(
            method: "GET", target: "\(target)&X-Amz-Signature=\(signature)", authority: "examplebucket.s3.amazonaws.com")
        let presented = try #require(try SignatureV4.Presented(request))
        #expect(presented.place == .query)
        #expect(presented.expires == .seconds(86_400))
        #expect(try presented.payloadHash(of: request) == .unsigned)
        try presented.verify(request, payload: .unsigned, path: .asReceived, key: PublishedExample.key)

        let signer = SignatureV4.Signer(
            accessKey: PublishedExample.accessKey, secret: PublishedExample.secret, region: "us-east-1", service: "s3")
        let plain = SignableRequest(method: "GET", target: "/test.txt", authority: "examplebucket.s3.amazonaws.com")
        let signed = signer.presign(plain, expires: .seconds(86_400), at: presented.timestamp)
        #expect(signed == "\(target)&X-Amz-Signature=\(signature)")
    }
}
