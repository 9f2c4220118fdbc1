import HTTPTypes
import RequestSigning
import Testing
import WireFormats

/// The examples of "Signing and authenticating REST requests (AWS signature version 2)" in the S3 User Guide, with their keys, and the name
/// of the bucket before the guide changed it.
@Suite("Signature V2")
struct SignatureV2Tests {
    struct Example: CustomTestStringConvertible {
        var testDescription: String
        var method = "GET"
        var target: String
        var bucket: String? = "johnsmith"
        var fields: [(String, String)]
        var signature: String
    }

    static let accessKey = "AKIAIOSFODNN7EXAMPLE"
    static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

    static let published = [
        Example(
            testDescription: "object GET", target: "/photos/puppy.jpg", fields: [("Date", "Tue, 27 Mar 2007 19:36:42 +0000")],
            signature: "bWq2s1WEIj+Ydj0vQ697zp+IXMU="),
        Example(
            testDescription: "object PUT", method: "PUT", target: "/photos/puppy.jpg",
            fields: [
                ("Content-Type", "image/jpeg"), ("Content-Length", "94328"), ("Date", "Tue, 27 Mar 2007 21:15:45 +0000"),
            ], signature: "MyyxeRY7whkBe+bq8fHCL/2kKUg="),
        Example(
            testDescription: "list", target: "/?prefix=photos&max-keys=50&marker=puppy",
            fields: [("User-Agent", "Mozilla/5.0"), ("Date", "Tue, 27 Mar 2007 19:42:41 +0000")],
            signature: "htDYFYduRNen8P9ZfE/s9SuKy0U="),
        Example(
            testDescription: "fetch", target: "/?acl", fields: [("Date", "Tue, 27 Mar 2007 19:44:46 +0000")],
            signature: "c2WLPFtWHVgbEmeEG93a4cG37dM="),
        Example(
            testDescription: "delete", method: "DELETE", target: "/johnsmith/photos/puppy.jpg", bucket: nil,
            fields: [("Date", "Tue, 27 Mar 2007 21:20:26 +0000")], signature: "lx3byBScXR6KzyMaifNkardMwNk="),
        Example(
            testDescription: "delete with a date of its own", method: "DELETE", target: "/johnsmith/photos/puppy.jpg", bucket: nil,
            fields: [
                ("Date", "Tue, 27 Mar 2007 21:20:27 +0000"), ("x-amz-date", "Tue, 27 Mar 2007 21:20:26 +0000"),
            ], signature: "R4dJ53KECjStyBO5iTBJZ4XVOaI="),
        Example(
            testDescription: "upload", method: "PUT", target: "/db-backup.dat.gz", bucket: "static.johnsmith.net",
            fields: [
                ("Date", "Tue, 27 Mar 2007 21:06:08 +0000"), ("x-amz-acl", "public-read"),
                ("content-type", "application/x-download"), ("Content-MD5", "4gJE4saaMU4BqNR0kLY+lw=="),
                ("X-Amz-Meta-ReviewedBy", "joe@johnsmith.net"), ("X-Amz-Meta-ReviewedBy", "jane@johnsmith.net"),
                ("X-Amz-Meta-FileChecksum", "0x02661779"), ("X-Amz-Meta-ChecksumAlgorithm", "crc32"),
                ("Content-Disposition", "attachment; filename=database.dat"), ("Content-Encoding", "gzip"),
                ("Content-Length", "5913339"),
            ], signature: "ilyl83RwaSoYIEdixDQcA4OnAnc="),
        Example(
            testDescription: "list all my buckets", target: "/", bucket: nil, fields: [("Date", "Wed, 28 Mar 2007 01:29:59 +0000")],
            signature: "qGdzdERIC03wnaRNKh6OqZehG9s="),
        Example(
            testDescription: "keys outside of ASCII", target: "/dictionary/fran%C3%A7ais/pr%c3%a9f%c3%a8re", bucket: nil,
            fields: [("Date", "Wed, 28 Mar 2007 01:49:49 +0000")], signature: "DNEZGsoieTZ92F3bUfSPQcbGmlM="),
    ]

    private func request(_ method: String, _ target: String, _ fields: [(String, String)]) throws -> SignableRequest {
        var request = SignableRequest(method: method, target: target, authority: "s3.amazonaws.com")
        for (name, value) in fields {
            request.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return request
    }

    private func signed(_ example: Example) throws -> SignableRequest {
        try request(
            example.method, example.target,
            example.fields + [("Authorization", "AWS \(Self.accessKey):\(example.signature)")])
    }

    @Test("of the published examples is verified", arguments: published)
    func verifies(example: Example) throws {
        let request = try signed(example)
        let presented = try #require(try SignatureV2.Presented(request))
        #expect(presented.accessKey == Self.accessKey)
        #expect(presented.isPresigned == false)
        #expect(presented.sessionToken == nil)
        try presented.verify(request, bucket: example.bucket, secret: Self.secret)
    }

    @Test("covers method, path, secret and every amz header", arguments: published)
    func tampering(example: Example) throws {
        let request = try signed(example)
        let presented = try #require(try SignatureV2.Presented(request))
        var others = [request, request, request]
        others[0].method = "POST"
        others[1].path += "x"
        others[2].fields[try #require(HTTPField.Name("x-amz-meta-other"))] = "1"
        for other in others {
            #expect(throws: SignatureMismatch.self) {
                try presented.verify(other, bucket: example.bucket, secret: Self.secret)
            }
        }
        let mismatch = #expect(throws: SignatureMismatch.self) {
            try presented.verify(request, bucket: example.bucket, secret: "wrong")
        }
        #expect(mismatch?.canonicalRequest == nil)
        #expect(mismatch?.signatureProvided == example.signature)
        #expect(mismatch?.stringToSign.starts(with: Array("\(example.method)\n".utf8)) == true)
    }

    @Test("of the published query is verified, and has its expiry")
    func query() throws {
        let request = try request(
            "GET",
            "/photos/puppy.jpg?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Signature=NpgCjnDzrM%2BWFzoENXmpNDUsSn8%3D&Expires=1175139620",
            [])
        let presented = try #require(try SignatureV2.Presented(request))
        #expect(presented.validity == .until(Timestamp(seconds: 1_175_139_620)))
        #expect(presented.isPresigned)
        try presented.verify(request, bucket: "johnsmith", secret: Self.secret)
        try presented.verify(request, bucket: "JohnSmith", secret: Self.secret)
    }

    @Test(
        "covers decoded, sorted sub-resources and header overrides, and no other parameter",
        arguments: [
            ("/b/k?versionId=3&acl&prefix=x", "/b/k?acl&versionId=3"), ("/b/k?acl=", "/b/k?acl="),
            ("/b/k?uploadId=a%2Fb&partNumber=2", "/b/k?partNumber=2&uploadId=a/b"),
            (
                "/b/k?response-content-type=text%2Fplain&response-content-disposition=attachment%3B+filename%3Dx",
                "/b/k?response-content-disposition=attachment; filename=x&response-content-type=text/plain"
            ), ("/b?list-type=2&delimiter=%2F", "/b"), ("/b", "/b/"), ("/b/", "/b/"),
        ])
    func resource(target: String, resource: String) throws {
        let date = "Wed, 28 Mar 2007 01:29:59 +0000"
        let signature = SignatureV2.signature(of: "GET\n\n\n\(date)\n\(resource)", secret: "s")
        let request = try request("GET", target, [("Date", date), ("Authorization", "AWS k:\(signature)")])
        try #require(try SignatureV2.Presented(request)).verify(request, bucket: nil, secret: "s")
    }

    @Test("in a query covers the headers in the query, and those sent instead")
    func headersInTheQuery() throws {
        let signature = SignatureV2.signature(
            of: "PUT\n\ntext/plain\n2000000000\nx-amz-acl:private\nx-amz-security-token:to/ken\n/b/k", secret: "s")
        let target =
            "/b/k?AWSAccessKeyId=k&Expires=2000000000&Signature=\(percentEncoded(signature))&content-type=text%2Fplain"
            + "&x-amz-acl=private&x-amz-security-token=to%2Fken"
        for fields in [[], [("x-amz-acl", "private"), ("Content-Type", "text/plain")]] {
            let request = try request("PUT", target, fields)
            let presented = try #require(try SignatureV2.Presented(request))
            #expect(presented.sessionToken == "to/ken")
            try presented.verify(request, bucket: nil, secret: "s")
        }
        let other = try request("PUT", target, [("x-amz-acl", "public-read")])
        let presented = try #require(try SignatureV2.Presented(other))
        #expect(throws: SignatureMismatch.self) { try presented.verify(other, bucket: nil, secret: "s") }
    }

    /// A presigned PUT whose signature covers `x-amz-meta-who:good`, with parameters before and after those that were signed.
    private func altered(before: String = "", after: String = "", _ fields: [(String, String)] = []) throws -> SignableRequest {
        let signature = SignatureV2.signature(of: "PUT\n\n\n2000000000\nx-amz-meta-who:good\n/b/k", secret: "s")
        return try request(
            "PUT",
            "/b/k?\(before)AWSAccessKeyId=k&Expires=2000000000&x-amz-meta-who=good&Signature=\(percentEncoded(signature))\(after)", fields)
    }

    private func isVerified(_ request: SignableRequest) throws -> Bool {
        let presented = try #require(try SignatureV2.Presented(request))
        do {
            try presented.verify(request, bucket: nil, secret: "s")
            return true
        } catch { return false }
    }

    @Test(
        "in a query covers every header that can be in the query, however its name is written",
        arguments: [
            "x-amz-acl", "x-amz-bypass-governance-retention", "x-amz-meta-more", "x-amz-meta-who", "x-amz-object-lock-mode",
            "x-amz-storage-class", "x-amz-tagging", "x-amz-website-redirect-location", "content-md5", "content-type",
        ])
    func addedHeaders(name: String) throws {
        #expect(try isVerified(altered()))
        #expect(try isVerified(altered(after: "&prefix=a")))
        let encoded = name.replacing("-", with: "%2D")
        for text in [name, name.uppercased(), encoded, encoded.lowercased(), "%\(name.utf8.first == 0x78 ? 58 : 43)\(name.dropFirst())"] {
            #expect(try !isVerified(altered(before: "\(text)=evil&")), "\(text)")
            #expect(try !isVerified(altered(after: "&\(text)=evil")), "\(text)")
            // The line of an empty content type or digest is the same as without it.
            if name.hasPrefix("x-amz-") { #expect(try !isVerified(altered(after: "&\(text)")), "\(text)") }
        }
    }

    @Test("in a query does not match a repeated header, even one that repeats the signed value")
    func repeatedHeaders() throws {
        for text in ["x-amz-meta-who=good", "X-Amz-Meta-Who=good", "x%2Damz-meta-who=good"] {
            #expect(try !isVerified(altered(before: "\(text)&")), "\(text)")
            #expect(try !isVerified(altered(after: "&\(text)")), "\(text)")
        }
        #expect(try !isVerified(altered([("Content-Type", "text/html"), ("Content-Type", "")])))
    }

    @Test(
        "in a query does not match a repeated parameter of the signature, even one that repeats its value",
        arguments: ["AWSAccessKeyId", "Signature", "Expires"])
    func repeatedParameters(name: String) throws {
        let signature = SignatureV2.signature(of: "GET\n\n\n2000000000\n/b/k", secret: "s")
        let values = ["AWSAccessKeyId": "k", "Signature": percentEncoded(signature), "Expires": "2000000000"]
        let target = "/b/k?" + values.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        let value = try #require(values[name])
        #expect(try isVerified(request("GET", target, [])))
        for text in [name, "%\(String(try #require(name.utf8.first), radix: 16))\(name.dropFirst())"] {
            #expect(try !isVerified(request("GET", "\(target)&\(text)=\(value)", [])), "\(text)")
        }
    }

    @Test(
        "in a query does not match a parameter that is no header but has the same canonical form",
        arguments: ["x-amz-meta-a=1%0Ax-amz-meta-b:2", "x-amz-meta-a:1%0Ax-amz-meta-b=2"])
    func joinedHeaders(parameters: String) throws {
        let signature = SignatureV2.signature(of: "PUT\n\n\n2000000000\nx-amz-meta-a:1\nx-amz-meta-b:2\n/b/k", secret: "s")
        let end = "AWSAccessKeyId=k&Expires=2000000000&Signature=\(percentEncoded(signature))"
        #expect(try isVerified(request("PUT", "/b/k?x-amz-meta-a=1&x-amz-meta-b=2&\(end)", [])))
        #expect(try !isVerified(request("PUT", "/b/k?\(parameters)&\(end)", [])))
    }

    static let malformed: [(String, [(String, String)], SignatureV2Error)] = [
        ("/", [("Authorization", "AWS HAHAHA"), ("Date", "x")], .malformedAuthorization("AWS HAHAHA")),
        ("/", [("Authorization", "AWS a:")], .malformedAuthorization("AWS a:")),
        ("/", [("Authorization", "AWS a:b:c")], .malformedAuthorization("AWS a:b:c")),
        ("/", [("Authorization", "AWS  a:b")], .severalSpaces("AWS  a:b")),
        ("/", [("Authorization", "AWS a:b")], .invalidDate), ("/", [("Authorization", "AWS a:b"), ("Date", "Bad Date")], .invalidDate),
        ("/", [("Authorization", "AWS a:b"), ("Date", "Wed, 28 Mar 2007 01:29:59 GMT"), ("x-amz-date", "")], .invalidDate),
        ("/", [("Authorization", "AWS a:b"), ("x-amz-date", "Tue, 07 Jul 1950 21:53:04 GMT")], .invalidDate),
        ("/?Signature=a&Expires=1", [], .missingParameters), ("/?AWSAccessKeyId=a&Expires=1", [], .missingParameters),
        ("/?Signature=a&AWSAccessKeyId=a", [], .missingParameters),
        ("/?Signature=a&AWSAccessKeyId=a&Expires=soon", [], .malformedExpires("soon")),
        ("/?Signature=a&AWSAccessKeyId=a&Expires=4294967296", [], .malformedExpires("4294967296")),
        ("/?Signature=a", [("Authorization", "AWS a:b")], .severalMechanisms),
    ]

    @Test("that is malformed is refused", arguments: malformed)
    func faults(target: String, fields: [(String, String)], fault: SignatureV2Error) throws {
        let request = try request("GET", target, fields)
        #expect(throws: fault) { try SignatureV2.Presented(request) }
    }

    @Test("is absent in a request without one", arguments: [nil, "AWS4-HMAC-SHA256 Credential=a", "Bearer x", "AWS"])
    func absent(authorization: String?) throws {
        let fields = authorization.map { [("Authorization", $0)] } ?? []
        #expect(try SignatureV2.Presented(request("GET", "/b?Expires=1", fields)) == nil)
    }
}
