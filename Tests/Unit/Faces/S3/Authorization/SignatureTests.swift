import Cloud
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import RequestSigning
@testable import S3Face

@Suite("Signatures of S3")
struct SignatureTests {
    private func fields(_ pairs: [(String, String)]) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in pairs { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        return fields
    }

    private func version2(_ method: String, _ resource: String, at now: Timestamp) -> [(String, String)] {
        let signature = SignatureV2.signature(of: "\(method)\n\n\n\(now.httpDate)\n\(resource)", secret: "test")
        return [("Date", now.httpDate), ("Authorization", "AWS test:\(signature)")]
    }

    /// (versity/versitygw#1512 and versity/versitygw#1705; storj/edge#142 and ceph/s3-tests on the empty header.)
    @Test(
        "of unknown kinds are refused with the whole header, and an empty header is denied",
        arguments: ["AWS4-HMAC-SHA25 Credential=a/b,SignedHeaders=host,Signature=c", "Bearer x", ""])
    func unknown(_ authorization: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.get, "/files", fields([("Authorization", authorization)]), [])
            #expect(answer.status == (authorization.isEmpty ? 403 : 400))
            #expect(answer.code == (authorization.isEmpty ? "AccessDenied" : "InvalidArgument"))
            #expect(answer.detail("ArgumentValue") == (authorization.isEmpty ? nil : authorization))
        }
    }

    /// (brekkylab/backlot, measured in S3 2026-09-29.)
    @Test("are verified before a method is refused, but not before an address")
    func methodRefused() async throws {
        try await S3Sandbox.run { s3 async throws in
            let wrong = try fields(version2("GET", "/files", at: s3.cloud.clock.now))
            #expect(try await s3.send(.patch, "/files", wrong, []).code == "SignatureDoesNotMatch")
            #expect(try await s3.send(.patch, "/files", [:], []).code == "MethodNotAllowed")
            #expect(try await s3.send(.get, "/files?acl&policy", wrong, []).code == "InvalidArgument")
        }
    }

    @Test("of Version 2 are accepted in headers, by path and by host")
    func version2() async throws {
        try await S3Sandbox.run { s3 async throws in
            let now = s3.cloud.clock.now
            let byPath = try await s3.send(
                .get, "/files/public/hello.txt", fields(version2("GET", "/files/public/hello.txt", at: now)), [])
            #expect(byPath.status == 200, "\(byPath.text)")
            #expect(byPath.text == "0123456789", "\(byPath.text)")
            let byHost = try await s3.send(
                .get, "/public/hello.txt", fields(version2("GET", "/files/public/hello.txt", at: now)), [], bucketFromHost: "files")
            #expect(byHost.status == 200, "\(byHost.text)")
            let list = try await s3.send(.get, "/files?list-type=2", fields(version2("GET", "/files/", at: now)), [])
            #expect(list.status == 200)
            #expect(list.journal.caller == "arn:aws:iam::000000000000:root")
        }
    }

    @Test("of Version 2 that do not match are refused with the string to sign")
    func mismatch() async throws {
        try await S3Sandbox.run { s3 async throws in
            let now = s3.cloud.clock.now
            let answer = try await s3.send(.get, "/files", fields(version2("PUT", "/files", at: now)), [])
            #expect(answer.status == 403)
            #expect(answer.code == "SignatureDoesNotMatch")
            #expect(
                try answer.xml.children.map(\.name).dropLast(2) == [
                    "Code", "Message", "AWSAccessKeyId", "StringToSign", "SignatureProvided", "StringToSignBytes",
                ])
            #expect(answer.detail("StringToSign") == "GET\n\n\n\(now.httpDate)\n/files")
        }
    }

    @Test(
        "of Version 2 that are malformed are refused with S3's errors",
        arguments: [
            ("/", "AWS HAHAHA", "", 400, "InvalidArgument", "AWS authorization header is invalid.  Expected AwsAccessKeyId:signature"),
            ("/", "AWS test:x", "Bad", 403, "AccessDenied", "AWS authentication requires a valid Date or x-amz-date header"),
            (
                "/", "AWS test:x", "Tue, 07 Jul 2010 21:53:04 GMT", 403, "RequestTimeTooSkewed",
                "The difference between the request time and the current time is too large."
            ),
            (
                "/?AWSAccessKeyId=test&Signature=x", "", "", 403, "AccessDenied",
                "Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters"
            ),
            (
                "/?AWSAccessKeyId=test&Signature=x&Expires=soon", "", "", 403, "AccessDenied",
                "Invalid date (should be seconds since epoch): soon"
            ), ("/?AWSAccessKeyId=test&Signature=x&Expires=1175139620", "", "", 403, "AccessDenied", "Request has expired"),
            (
                "/?AWSAccessKeyId=nobody&Signature=x&Expires=2000000000", "", "", 403, "InvalidAccessKeyId",
                "The AWS Access Key Id you provided does not exist in our records."
            ),
        ])
    func refusals(
        target: String, authorization: String, date: String, status: Int, code: String, message: String
    ) async throws {
        try await S3Sandbox.run { s3 async throws in
            var pairs: [(String, String)] = []
            if !authorization.isEmpty { pairs.append(("Authorization", authorization)) }
            if !date.isEmpty { pairs.append(("x-amz-date", date)) }
            let answer = try await s3.send(.get, target, fields(pairs), [])
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.code == code, "\(answer.text)")
            #expect(answer.detail("Message") == message, "\(answer.text)")
            if code == "RequestTimeTooSkewed" { #expect(answer.detail("RequestTime") == date) }
            if message == "Request has expired" { #expect(answer.detail("Expires") == "2007-03-29T03:40:20Z") }
        }
    }

    @Test("are distinguished by condition keys", arguments: ["AWS", "AWS4-HMAC-SHA256"])
    func conditionKeys(version: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let policy = """
                {"Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::files/*",
                  "Condition":{"StringEquals":{"s3:authType":"REST-HEADER","s3:signatureversion":"\(version)"}}}]}
                """
            #expect(try await s3.send(.put, "/files?policy", body: Array(policy.utf8)).status == 204)
            let path = "/files/public/hello.txt"
            let older = try await s3.send(.get, path, fields(version2("GET", path, at: s3.cloud.clock.now)), [])
            #expect(older.status == (version == "AWS" ? 403 : 200))
            #expect(try await s3.send(.get, path).status == (version == "AWS" ? 200 : 403))
        }
    }

    @Test("in a query have an age, which policies can limit")
    func age() async throws {
        try await S3Sandbox.run { s3 async throws in
            let policy = """
                {"Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::files/*",
                  "Condition":{"NumericGreaterThan":{"s3:signatureAge":"60000"}}}]}
                """
            #expect(try await s3.send(.put, "/files?policy", body: Array(policy.utf8)).status == 204)
            // The clock is frozen, so that the duration of the test does not matter.
            try await s3.cloud.change(clock: .freeze(at: nil))
            let plain = SignableRequest(method: "GET", target: "/files/public/hello.txt", authority: S3Sandbox.authority)
            let target = SignatureV4.Signer(accessKey: "test", secret: "test", region: "us-east-1", service: "s3")
                .presign(plain, expires: .seconds(3600), at: s3.cloud.clock.now)
            #expect(try await s3.send(.get, target, [:], []).status == 200)
            try await s3.cloud.age(by: .seconds(61))
            let refusal = try await s3.send(.get, target, [:], [])
            #expect(refusal.status == 403, "\(refusal.text)")
            #expect(refusal.detail("Message")?.contains("explicit deny") == true, "\(refusal.text)")
        }
    }

    @Test("in a query may include headers there")
    func headersInTheQuery() async throws {
        try await S3Sandbox.run { s3 async throws in
            let end = s3.cloud.clock.now.seconds + 60
            let signature = SignatureV2.signature(of: "PUT\n\n\n\(end)\nx-amz-meta-colour:green\n/files/x", secret: "test")
            let v2 = try await s3.send(
                .put,
                "/files/x?AWSAccessKeyId=test&Expires=\(end)&Signature=\(percentEncoded(signature))&x-amz-meta-colour=green",
                fields([("Content-Length", "1")]), [0x78])
            #expect(v2.status == 200, "\(v2.text)")
            #expect(try await s3.send(.head, "/files/x")["x-amz-meta-colour"] == "green")

            let signer = SignatureV4.Signer(accessKey: "test", secret: "test", region: "us-east-1", service: "s3")
            let plain = SignableRequest(
                method: "PUT", target: "/files/y?x-amz-meta-colour=blue&x-amz-checksum-crc32=AAAAAA%3D%3D", authority: S3Sandbox.authority)
            let target = signer.presign(plain, expires: .seconds(60), at: s3.cloud.clock.now)
            let v4 = try await s3.send(.put, target, fields([("Content-Length", "1")]), [0x78])
            #expect(v4.status == 200, "\(v4.text)")
            #expect(try await s3.send(.head, "/files/y")["x-amz-meta-colour"] == "blue")

            let unsigned = try await s3.send(.put, target, fields([("Content-Length", "1"), ("x-amz-acl", "private")]), [0x78])
            #expect(unsigned.status == 403)
            #expect(unsigned.code == "AccessDenied")
            #expect(unsigned.detail("HeadersNotSigned") == "x-amz-acl")
            #expect(unsigned.detail("Message") == "There were headers present in the request which were not signed")
        }
    }

    @Test("in a query may include conditions there, and omit headers about the body")
    func conditionsInTheQuery() async throws {
        try await S3Sandbox.run { s3 async throws in
            let signer = SignatureV4.Signer(accessKey: "test", secret: "test", region: "us-east-1", service: "s3")
            let plain = SignableRequest(method: "PUT", target: "/files/once?If-None-Match=*", authority: S3Sandbox.authority)
            let target = signer.presign(plain, expires: .seconds(60), at: s3.cloud.clock.now)
            for status in [200, 412] {
                #expect(try await s3.send(.put, target, fields([("Content-Length", "1")]), [0x78]).status == status)
            }
            let other = signer.presign(
                SignableRequest(method: "PUT", target: "/files/y", authority: S3Sandbox.authority), expires: .seconds(60),
                at: s3.cloud.clock.now)
            for text in ["UNSIGNED-PAYLOAD", PayloadHash(of: [0x78]).text] {
                let said = try fields([("Content-Length", "1"), ("x-amz-content-sha256", text)])
                #expect(try await s3.send(.put, other, said, [0x78]).status == 200)
            }
        }
    }

    /// Returns the target of a presigned request that signs `x-amz-content-sha256`.
    private func presigned(_ method: String, _ path: String, _ fields: HTTPFields, at now: Timestamp) -> String {
        var request = SignableRequest(method: method, target: path, authority: S3Sandbox.authority)
        request.fields = fields
        return SignatureV4.Signer(accessKey: "test", secret: "test", region: "us-east-1", service: "s3")
            .presign(request, expires: .seconds(60), at: now)
    }

    // OpenStack Swift, test/s3api/test_input_errors.py, which also runs against AWS: TestV4AuthQuery, TestV2AuthHeaders.

    @Test("in a query, and of Version 2, may cover a payload hash that no body has", arguments: ["invalid", "unsigned-payload"])
    func otherPayloadHashes(hash: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let now = s3.cloud.clock.now
            let path = "/files/public/hello.txt"
            let signed = try fields([("x-amz-content-sha256", hash)])
            for method in [HTTPRequest.Method.get, .head] {
                let read = try await s3.send(method, presigned(method.rawValue, path, signed, at: now), signed, [])
                #expect(read.status == 200, "\(method): \(read.text)")
            }
            let target = presigned("PUT", "/files/x", signed, at: now)
            let older = try fields(
                version2("PUT", "x-amz-content-sha256:\(hash)\n/files/x", at: now) + [("x-amz-content-sha256", hash)])
            for (target, sent) in [(target, signed), ("/files/x", older)] {
                var sent = sent
                sent[.contentLength] = "1"
                let refused = try await s3.send(.put, target, sent, [0x78])
                #expect(refused.status == 400)
                #expect(refused.code == "XAmzContentSHA256Mismatch", "\(refused.text)")
                #expect(refused.detail("ClientComputedContentSHA256") == hash)
                #expect(refused.detail("S3ComputedContentSHA256") == PayloadHash(of: [0x78]).text)
            }
            // An invalid Content-MD5 is found first.
            var invalid = signed
            invalid[.contentLength] = "1"
            invalid[.contentMD5] = "invalid"
            #expect(try await s3.send(.put, target, invalid, [0x78]).code == "InvalidDigest")
        }
    }

    @Test(
        "in a query do not cover bodies in chunks, which are read as one piece",
        arguments: [
            (nil, "MissingContentLength"), ("not an int", "MissingContentLength"), ("9", "IncompleteBody"),
            ("19", "XAmzContentSHA256Mismatch"),
        ] as [(String?, String)])
    func chunksInTheQuery(decodedLength: String?, code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let body = Array("9\r\n123456789\r\n0\r\n\r\n".utf8)
            var signed = try fields([("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER")])
            signed[.decodedContentLength] = decodedLength
            let target = presigned("PUT", "/files/x", signed, at: s3.cloud.clock.now)
            signed[.contentLength] = String(body.count)
            let refused = try await s3.send(.put, target, signed, body)
            #expect(refused.code == code, "\(refused.text)")
            if code == "IncompleteBody" {
                #expect(refused.detail("NumberBytesExpected") == "9")
                #expect(refused.detail("NumberBytesProvided") == "19")
            }
            #expect(try await s3.send(.head, "/files/x").status == 404)
        }
    }

    /// Sends a body in two signed chunks, with an optional signed trailer.
    private func putInChunks(
        _ s3: S3Sandbox, trailer: String? = nil, altering: (inout [UInt8]) -> Void = { _ in }
    ) async throws -> FaceAnswer {
        let payload: PayloadHash = trailer == nil ? .signedChunks : .signedChunksWithTrailer
        let now = s3.cloud.clock.now
        let chunks = [[UInt8](repeating: 0x61, count: 8192), Array("the rest".utf8), []]
        var request = SignableRequest(method: "PUT", target: "/files/chunks", authority: S3Sandbox.authority)
        request.fields = try fields([
            ("content-encoding", "aws-chunked"), ("x-amz-decoded-content-length", String(chunks.joined().count)),
        ])
        if trailer != nil { request.fields[.trailerNames] = "x-amz-checksum-crc32" }
        SignatureV4.Signer(accessKey: "test", secret: "test", region: "us-east-1", service: "s3")
            .sign(&request, payload: payload, at: now)
        let presented = try #require(try SignatureV4.Presented(request))
        var chain = ChunkSignature(
            key: ScopedSigningKey(secret: "test", scope: presented.scope), scope: presented.scope, timestamp: presented.timestamp,
            seed: presented.signature)
        var body: [UInt8] = []
        for chunk in chunks {
            let (signature, _) = chain.next(chunkHash: try #require(PayloadHash(of: chunk).digest))
            body += Array("\(String(chunk.count, radix: 16));chunk-signature=\(signature)\r\n".utf8) + chunk
            if !chunk.isEmpty { body += [0x0D, 0x0A] }
        }
        if let trailer {
            let line = "x-amz-checksum-crc32:\(trailer)"
            let (signature, _) = chain.next(trailers: Array("\(line)\n".utf8))
            body += Array("\(line)\r\nx-amz-trailer-signature:\(signature)\r\n".utf8)
        }
        body += [0x0D, 0x0A]
        altering(&body)
        request.fields[.contentLength] = String(body.count)
        return try await s3.send(.put, "/files/chunks", request.fields, body)
    }

    private var checksum: String {
        var check = CRC32()
        ([UInt8](repeating: 0x61, count: 8192) + Array("the rest".utf8)).withUnsafeBytes { check.update($0) }
        return withUnsafeBytes(of: check.value.bigEndian) { Array($0) }.base64
    }

    /// Checks the details of a chunk's `SignatureDoesNotMatch`, which has the canonical request of the whole request. (OpenStack Swift,
    /// test/s3api/test_input_errors.py, assertSignatureMismatch.)
    private func expectDetails(_ answer: FaceAnswer) {
        let message =
            "The request signature we calculated does not match the signature you provided. Check your key and signing method."
        #expect(answer.detail("Message") == message)
        #expect(answer.detail("AWSAccessKeyId") == "test")
        #expect(answer.detail("SignatureProvided")?.utf8.count == 64)
        #expect(answer.detail("CanonicalRequest")?.hasPrefix("PUT\n/files/chunks\n\ncontent-encoding:aws-chunked\n") == true)
        for name in ["StringToSign", "CanonicalRequest"] {
            let bytes = Array((answer.detail(name) ?? "").utf8).map { [$0].hex }.joined(separator: " ")
            #expect(answer.detail("\(name)Bytes") == bytes)
        }
    }

    @Test("of chunks are verified one after the other")
    func chunks() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await putInChunks(s3)
            #expect(answer.status == 200, "\(answer.text)")
            let read = try await s3.send(.get, "/files/chunks")
            #expect(read.body.count == 8200)
            #expect(read.text.hasSuffix("athe rest"))
            #expect(read["Content-Encoding"] == nil)
            let altered = try await putInChunks(s3) { $0[200] ^= 1 }
            #expect(altered.status == 403)
            #expect(altered.code == "SignatureDoesNotMatch")
            #expect(altered.detail("StringToSign")?.hasPrefix("AWS4-HMAC-SHA256-PAYLOAD\n") == true)
            expectDetails(altered)
            #expect(try await s3.send(.get, "/files/chunks").text.hasPrefix("aaaa"))
        }
    }

    @Test("of trailers are verified, and so is the checksum in them")
    func trailers() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await putInChunks(s3, trailer: checksum)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["x-amz-checksum-crc32"] == checksum, "\(answer.text)")
            let wrong = try await putInChunks(s3, trailer: "AAAAAA==")
            #expect(wrong.status == 400)
            #expect(wrong.code == "BadDigest")
            let altered = try await putInChunks(s3, trailer: checksum) { $0[$0.count - 10] ^= 1 }
            #expect(altered.status == 403)
            #expect(altered.code == "SignatureDoesNotMatch")
            #expect(altered.detail("StringToSign")?.hasPrefix("AWS4-HMAC-SHA256-TRAILER\n") == true)
            expectDetails(altered)
        }
    }
}
