import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("The signature of OSS in a request")
struct OSSPresentedTests {
    private func request(_ target: String, _ fields: [(String, String)] = []) throws -> SignableRequest {
        var request = SignableRequest(method: "GET", target: target, authority: "h")
        for (name, value) in fields {
            request.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return request
    }

    private static let dated = ("Date", "Sat, 16 Dec 2023 16:20:57 GMT")
    private static let v4Fields = [("x-oss-date", "20231216T162057Z"), ("x-oss-content-sha256", "UNSIGNED-PAYLOAD")]
    private static let credential = "Credential=k/20231216/cn-hangzhou/oss/aliyun_v4_request"
    private static let algorithm = "OSS4-HMAC-SHA256 "

    @Test("is absent in an anonymous request", arguments: ["/b/k", "/b/k?Expires=1&security-token=x", "/?acl"])
    func anonymous(target: String) throws {
        #expect(try OSSSignature.Presented(try request(target)) == nil)
    }

    @Test(
        "is read from a list in any order, with or without spaces",
        arguments: [
            "\(credential),AdditionalHeaders=b;a,Signature=s", "\(credential), Signature=s, AdditionalHeaders=a;b",
            "Signature=s ,AdditionalHeaders=A;B;a,  \(credential)",
        ])
    func unordered(list: String) throws {
        let presented = try #require(
            try OSSSignature.Presented(try request("/b/k", Self.v4Fields + [("Authorization", Self.algorithm + list)])))
        #expect(presented.accessKey == "k")
        #expect(presented.signature == "s")
        #expect(presented.additionalHeaders == ["a", "b"])
        #expect(presented.version == .v4(.init(date: "20231216", region: "cn-hangzhou", service: "oss", scheme: .alibabaCloud)))
    }

    @Test("has an access key that may contain slashes")
    func slashes() throws {
        let list = "Credential=a/b/20231216/cn-hangzhou/oss-cloudbox/aliyun_v4_request,Signature=s"
        let presented = try #require(
            try OSSSignature.Presented(try request("/b/k", Self.v4Fields + [("Authorization", Self.algorithm + list)])))
        #expect(presented.accessKey == "a/b")
    }

    @Test("accepts the date that the SDK for Android sends, without a header of OSS")
    func android() throws {
        let presented = try #require(
            try OSSSignature.Presented(
                try request(
                    "/b/k",
                    [
                        ("Date", "20231216T162057Z"), ("x-oss-content-sha256", "UNSIGNED-PAYLOAD"),
                        ("Authorization", "\(Self.algorithm)\(Self.credential),Signature=s"),
                    ])))
        #expect(presented.validity == .signed(OSSVectors.time, text: "20231216T162057Z"))
    }

    @Test("prefers OSS's own date, and the header to the query")
    func preference() throws {
        let presented = try #require(
            try OSSSignature.Presented(
                try request(
                    "/b/k?OSSAccessKeyId=q&Expires=1&Signature=x",
                    [("Date", "20231216T000000Z"), ("Authorization", "\(Self.algorithm)\(Self.credential),Signature=s")] + Self.v4Fields)))
        #expect(presented.validity == .signed(OSSVectors.time, text: "20231216T162057Z"))
        #expect(presented.accessKey == "k")
    }

    @Test("in Version 1 may have its token in an unsigned header, as one SDK sends it")
    func misnamedToken() throws {
        let date = Self.dated.1
        let signature = OSSSignature.signature(ofText: "GET\n\n\n\(date)\n/b/k", secret: "s")
        let request = try request("/b/k", [Self.dated, ("security-token", "t"), ("Authorization", "OSS k:\(signature)")])
        let presented = try #require(try OSSSignature.Presented(request))
        #expect(presented.sessionToken == "t")
        try presented.verify(request, resource: OSSResource(bucket: "b", key: "k"), secret: "s") {
            ScopedSigningKey(secret: "s", scope: $0)
        }
    }

    @Test("may omit headers without a value, or sign them", arguments: [true, false])
    func emptyFields(areSigned: Bool) throws {
        let date = Self.dated.1
        let signature = OSSSignature.signature(
            ofText: "GET\n\n\n\(date)\n\(areSigned ? "x-oss-meta-a:\n" : "")x-oss-meta-b:1\n/b/", secret: "s")
        let request = try request(
            "/b/",
            [Self.dated, ("x-oss-meta-b", "1"), ("x-oss-meta-a", ""), ("Authorization", "OSS k:\(signature)")])
        try #require(try OSSSignature.Presented(request)).verify(request, resource: OSSResource(bucket: "b"), secret: "s") {
            ScopedSigningKey(secret: "s", scope: $0)
        }
    }

    @Test(
        "in Version 1 may omit the slash after a bucket if the path does",
        arguments: [("/b", true), ("/b/", false), ("/c", false)])
    func slashOfBuckets(path: String, isAccepted: Bool) throws {
        let signature = OSSSignature.signature(ofText: "GET\n\n\n\(Self.dated.1)\n/b", secret: "s")
        let request = try request(path + "?list-type=2", [Self.dated, ("Authorization", "OSS k:\(signature)")])
        let presented = try #require(try OSSSignature.Presented(request))
        let mismatch: SignatureMismatch?
        do throws(SignatureMismatch) {
            try presented.verify(request, resource: OSSResource(bucket: "b"), secret: "s") { ScopedSigningKey(secret: "s", scope: $0) }
            mismatch = nil
        } catch {
            mismatch = error
        }
        #expect((mismatch == nil) == isAccepted)
    }

    @Test(
        "in Version 1 covers decoded, sorted sub-resources, and no other parameter",
        arguments: [
            ("/b/k?versionId=3&acl&prefix=x", "/b/k?acl&versionId=3"), ("/b/k?acl=", "/b/k?acl"),
            ("/b/k?uploadId=a%2Fb&partNumber=2&max-parts=3", "/b/k?partNumber=2&uploadId=a/b"),
            ("/b/k?continuation-token=a+b&fetch-owner=true&list-type=2", "/b/k?continuation-token=a b"),
            ("/b/k?x-oss-process=image%2Fresize%2Cw_100&encoding-type=url", "/b/k?x-oss-process=image/resize,w_100"),
        ])
    func resource(target: String, resource: String) throws {
        let signature = OSSSignature.signature(ofText: "GET\n\n\n\(Self.dated.1)\n\(resource)", secret: "s")
        let request = try request(target, [Self.dated, ("Authorization", "OSS k:\(signature)")])
        try #require(try OSSSignature.Presented(request)).verify(request, resource: .init(bucket: "b", key: "k"), secret: "s") {
            ScopedSigningKey(secret: "s", scope: $0)
        }
    }

    static let faultsInHeaders: [([(String, String)], OSSSignatureError)] = [
        ([("Authorization", "Bearer x"), dated], .malformedAuthorization("Bearer x")),
        ([("Authorization", "OSS k"), dated], .malformedAuthorization("OSS k")),
        ([("Authorization", "OSS :s"), dated], .malformedAuthorization("OSS :s")),
        ([("Authorization", "OSS k:a:b"), dated], .malformedAuthorization("OSS k:a:b")),
        ([("Authorization", "OSS k:s")], .missingDate), ([("Authorization", "OSS k:s"), ("Date", "today")], .malformedDate("today")),
        ([("Authorization", "OSS k:s"), ("Date", "20231216T162057Z")], .malformedDate("20231216T162057Z")),
        ([("Authorization", "OSS2 AccessKeyId:k"), dated], .malformedAuthorization("OSS2 AccessKeyId:k")),
        ([("Authorization", "OSS2 k:s"), dated], .malformedAuthorization("OSS2 k:s")),
        ([("Authorization", algorithm + "Signature=s")] + v4Fields, .malformedAuthorization(algorithm + "Signature=s")),
        (
            [("Authorization", algorithm + "\(credential),Signature=s,Signature=t")] + v4Fields,
            .malformedAuthorization(algorithm + "\(credential),Signature=s,Signature=t")
        ),
        (
            [("Authorization", algorithm + "\(credential),Signature=s,Other=t")] + v4Fields,
            .malformedAuthorization(algorithm + "\(credential),Signature=s,Other=t")
        ),
        ([("Authorization", algorithm + "Credential=a/b,Signature=s")] + v4Fields, .malformedCredential("a/b", .parts)),
        (
            [("Authorization", algorithm + "Credential=/20231216/r/oss/aliyun_v4_request,Signature=s")] + v4Fields,
            .malformedCredential("/20231216/r/oss/aliyun_v4_request", .emptyAccessKey)
        ),
        (
            [("Authorization", algorithm + "Credential=k/20231216/r/oss/aws4_request,Signature=s")] + v4Fields,
            .malformedCredential("k/20231216/r/oss/aws4_request", .terminator("aws4_request"))
        ),
        (
            [("Authorization", algorithm + "Credential=k/20231217/r/oss/aliyun_v4_request,Signature=s")] + v4Fields,
            .credentialDate("20231217", requestDate: "20231216")
        ),
        ([("Authorization", algorithm + "\(credential),Signature=s"), v4Fields[0]], .payloadHash(nil)),
        ([("Authorization", algorithm + "\(credential),Signature=s"), v4Fields[0], ("x-oss-content-sha256", "00")], .payloadHash("00")),
        ([("Authorization", algorithm + "\(credential),Signature=s"), v4Fields[1]], .missingDate),
    ]

    @Test("that is malformed in the header is refused", arguments: faultsInHeaders)
    func malformedHeader(fields: [(String, String)], fault: OSSSignatureError) throws {
        let request = try request("/b/k", fields)
        #expect(throws: fault) { try OSSSignature.Presented(request) }
    }

    private static let v4Query = "x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-date=20231216T162057Z&x-oss-signature=s"

    static let faultsInQueries: [(String, OSSSignatureError)] = [
        ("OSSAccessKeyId=k&Signature=s", .missingParameters(["Expires"])),
        ("Signature=s&Expires=1", .missingParameters(["OSSAccessKeyId"])),
        ("OSSAccessKeyId=k&Expires=x&Signature=s", .malformedExpires("x")),
        ("OSSAccessKeyId=k&Expires=-1&Signature=s", .malformedExpires("-1")),
        ("x-oss-signature-version=OSS3&x-oss-signature=s", .unknownVersion("OSS3")),
        ("x-oss-signature=s&x-oss-credential=c", .missingParameters(["x-oss-signature-version"])),
        (v4Query, .missingParameters(["x-oss-credential", "x-oss-expires"])),
        ("x-oss-signature-version=OSS2&x-oss-signature=s", .missingParameters(["x-oss-access-key-id", "x-oss-expires"])),
        (v4Query + "&x-oss-credential=c&x-oss-expires=1", .malformedCredential("c", .parts)),
        (v4Query + "&x-oss-credential=k/20231216/r/oss/aliyun_v4_request&x-oss-expires=week", .malformedExpires("week")),
        (v4Query + "&x-oss-credential=k/20231216/r/oss/aliyun_v4_request&x-oss-expires=0", .expiresOutOfRange("0")),
        (v4Query + "&x-oss-credential=k/20231216/r/oss/aliyun_v4_request&x-oss-expires=604801", .expiresOutOfRange("604801")),
        (
            v4Query + "&x-oss-credential=k/20231217/r/oss/aliyun_v4_request&x-oss-expires=60",
            .credentialDate("20231217", requestDate: "20231216")
        ),
    ]

    @Test("that is malformed in the query is refused", arguments: faultsInQueries)
    func malformedQuery(query: String, fault: OSSSignatureError) throws {
        let request = try request("/b/k?\(query)")
        #expect(throws: fault) { try OSSSignature.Presented(request) }
    }
}
