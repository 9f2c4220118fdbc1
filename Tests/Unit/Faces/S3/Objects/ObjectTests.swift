import Cloud
import Federation
import Fixtures
import HTTPTypes
import ObjectServing
import ObjectStore
import RequestSigning
import Testing
import WireFormats

@testable import S3Face

@Suite("PutObject")
struct PutObjectTests {
    @Test("stores body, attributes and metadata")
    func roundTrip() async throws {
        try await S3Sandbox.run { s3 async throws in
            let written = try await s3.put(
                "a key/with €", "hello",
                [
                    "Content-Type": "text/plain", "Cache-Control": "no-cache", "Content-Encoding": "gzip",
                    "x-amz-meta-Colour": "red", "Expires": "whenever",
                ])
            #expect(written.status == 200)
            #expect(written["ETag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
            #expect(written["x-amz-checksum-crc64nvme"] != nil)
            #expect(written["x-amz-checksum-type"] == "FULL_OBJECT")
            let read = try await s3.send(.get, "/files/a%20key/with%20%E2%82%AC")
            #expect(read.status == 200)
            #expect(read.text == "hello")
            #expect(read["Content-Length"] == "5")
            #expect(read["Content-Type"] == "text/plain")
            #expect(read["Cache-Control"] == "no-cache")
            #expect(read["Content-Encoding"] == "gzip")
            #expect(read["Expires"] == "whenever")
            #expect(read["x-amz-meta-colour"] == "red")
            #expect(read["Accept-Ranges"] == "bytes")
            #expect(read["Last-Modified"].flatMap { Timestamp(httpDate: $0) } != nil)
            #expect(read["x-amz-checksum-crc64nvme"] == nil)
        }
    }

    // ceph/s3-tests, test_object_content_encoding_aws_chunked; OpenStack Swift, test/s3api/test_input_errors.py, which also runs against AWS.
    @Test(
        "stores every content coding except aws-chunked, which S3 removes only from bodies in chunks",
        arguments: [
            ("gzip,aws-chunked", "gzip"), ("aws-chunked, gzip", "gzip"), ("deflate, gzip,aws-chunked", "deflate, gzip"),
            ("aws-chunked, aws-chunked", nil), ("deflate, gzip", "deflate, gzip"),
        ])
    func contentCodings(sent: String, kept: String?) async throws {
        for dialect in [Dialect.aws, .ceph] {
            try await S3Sandbox.run(dialect: dialect) { s3 async throws in
                _ = try await s3.put("coded", "hello", ["Content-Encoding": sent])
                #expect(try await s3.send(.head, "/files/coded")["Content-Encoding"] == (dialect == .aws ? sent : kept))
                let written = try await s3.send(
                    .put, "/files/coded", ["Content-Encoding": sent, "x-amz-decoded-content-length": "5"],
                    body: Array("5\r\nhello\r\n0\r\n\r\n".utf8), payload: .unsignedChunksWithTrailer)
                #expect(written.status == 200, "\(written.text)")
                #expect(try await s3.send(.head, "/files/coded")["Content-Encoding"] == kept)
            }
        }
    }

    @Test("gives an object without a type the default type")
    func defaultType() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("k", "")
            let head = try await s3.send(.head, "/files/k")
            #expect(head["Content-Type"] == "binary/octet-stream")
            #expect(head["Content-Length"] == "0")
            #expect(head.body.isEmpty)
        }
    }

    @Test("returns the client's checksum on request")
    func checksum() async throws {
        try await S3Sandbox.run { s3 async throws in
            let written = try await s3.put("k", "123456789", ["x-amz-checksum-crc32": "y/Q5Jg=="])
            #expect(written["x-amz-checksum-crc32"] == "y/Q5Jg==")
            let head = try await s3.send(.head, "/files/k", ["x-amz-checksum-mode": "ENABLED"])
            #expect(head["x-amz-checksum-crc32"] == "y/Q5Jg==")
            #expect(head["x-amz-checksum-type"] == "FULL_OBJECT")
            let part = try await s3.send(.get, "/files/k", ["x-amz-checksum-mode": "ENABLED", "Range": "bytes=0-1"])
            #expect(part["x-amz-checksum-crc32"] == nil)
        }
    }

    @Test("stores nothing if the body does not match its headers")
    func mismatch() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.put("k", "123456789", ["x-amz-checksum-crc32": "AAAAAA=="])
            #expect(answer.status == 400)
            #expect(answer.code == "BadDigest")
            #expect(try await s3.send(.head, "/files/k").status == 404)
            let hash = try await s3.send(
                .put, "/files/k", body: Array("other".utf8), payload: .sha256(String(repeating: "0", count: 64)))
            #expect(hash.code == "XAmzContentSHA256Mismatch")
            #expect(hash.detail("ClientComputedContentSHA256")?.count == 64)
            #expect(try await s3.send(.head, "/files/k").status == 404)
        }
    }

    @Test("requires a length")
    func length() async throws {
        try await S3Sandbox.run { s3 async throws in
            let none = try await s3.send(.put, "/files/k", payload: .unsigned)
            #expect(none.status == 411)
            #expect(none.code == "MissingContentLength")
            let chunked = try await s3.send(
                .put, "/files/k", ["Transfer-Encoding": "chunked"], body: Array("x".utf8), payload: .unsigned)
            #expect(chunked.status == 501)
            #expect(chunked.detail("Header") == "Transfer-Encoding")
        }
    }

    @Test("accepts chunks with an unsigned trailer")
    func trailer() async throws {
        try await S3Sandbox.run { s3 async throws in
            let framed = "9\r\n123456789\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n"
            let fields = [
                "Content-Encoding": "aws-chunked", "x-amz-decoded-content-length": "9", "x-amz-trailer": "x-amz-checksum-crc32",
                "x-amz-sdk-checksum-algorithm": "CRC32", "Transfer-Encoding": "chunked",
            ]
            let written = try await s3.send(
                .put, "/files/k", fields, body: Array(framed.utf8), payload: .unsignedChunksWithTrailer)
            #expect(written.status == 200)
            #expect(written["x-amz-checksum-crc32"] == "y/Q5Jg==")
            let read = try await s3.send(.get, "/files/k")
            #expect(read.text == "123456789")
            #expect(read["Content-Encoding"] == nil)
        }
    }

    @Test("limits the size of metadata")
    func metadata() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.put("k", "", ["x-amz-meta-a": String(repeating: "x", count: 2048)])
            #expect(answer.status == 400)
            #expect(answer.code == "MetadataTooLarge")
            #expect(answer.detail("MaxSizeAllowed") == "2048")
            #expect(try await s3.put("k", "", ["x-amz-meta-a": String(repeating: "x", count: 2047)]).status == 200)
        }
    }

    @Test("accepts the storage classes")
    func storageClass() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.put("k", "", ["x-amz-storage-class": "STANDARD_IA"]).status == 200)
            #expect(try await s3.send(.head, "/files/k")["x-amz-storage-class"] == "STANDARD_IA")
            #expect(try await s3.put("k", "", ["x-amz-storage-class": "FROZEN"]).code == "InvalidStorageClass")
            #expect(try await s3.put("k", "", ["x-amz-storage-class": "GLACIER"]).status == 200)
            let archived = try await s3.send(.get, "/files/k")
            #expect(archived.status == 403)
            #expect(archived.code == "InvalidObjectState")
        }
    }

    @Test(
        "refuses headers that the bucket or Virga does not support",
        arguments: [
            ("x-amz-acl", "public-read", "AccessControlListNotSupported"), ("x-amz-object-lock-mode", "GOVERNANCE", "InvalidRequest"),
            ("x-amz-write-offset-bytes", "0", "NotImplemented"),
        ])
    func unimplemented(_ name: String, _ value: String, _ code: String) async throws {
        try await S3Sandbox.run { s3 async throws in #expect(try await s3.put("k", "", [name: value]).code == code) }
    }

    @Test("can be conditional on the existing object")
    func conditions() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.put("k", "1", ["If-None-Match": "*"]).status == 200)
            let exists = try await s3.put("k", "2", ["If-None-Match": "*"])
            #expect(exists.status == 412)
            #expect(exists.code == "PreconditionFailed")
            #expect(exists.detail("Condition") == "If-None-Match")
            let tag = try #require(try await s3.send(.head, "/files/k")["ETag"])
            #expect(try await s3.put("k", "3", ["If-Match": tag]).status == 200)
            #expect(try await s3.put("k", "4", ["If-Match": tag]).detail("Condition") == "If-Match")
            let missing = try await s3.put("none", "4", ["If-Match": tag])
            #expect(missing.status == 404)
            #expect(missing.code == "NoSuchKey")
            for unacceptable in [["If-None-Match": tag], ["If-Match": "*"]] {
                let answer = try await s3.put("k", "5", unacceptable)
                #expect(answer.status == 501)
                #expect(answer.code == "NotImplemented")
                #expect(answer.detail("Header") == unacceptable.keys.first)
            }
            #expect(try await s3.send(.get, "/files/k").text == "3")
            let both = try await s3.put("k", "8", ["If-Match": tag, "If-None-Match": "*"])
            #expect(both.status == 501)
            #expect(both.detail("Header") == "If-Match,If-None-Match")
        }
    }

    @Test("supports every HTTP condition in the dialect of RADOS Gateway")
    func everyCondition() async throws {
        try await S3Sandbox.run(dialect: .ceph) { s3 async throws in
            let tag = try #require(try await s3.put("k", "1")["ETag"])
            #expect(try await s3.put("k", "2", ["If-None-Match": tag]).detail("Condition") == "If-None-Match")
            #expect(try await s3.send(.get, "/files/k").text == "1")
            #expect(try await s3.put("k", "3", ["If-Match": "*"]).status == 200)
            #expect(try await s3.put("k", "4", ["If-None-Match": tag]).status == 200)
            #expect(try await s3.put("none", "5", ["If-Match": "*"]).code == "NoSuchKey")
        }
    }
}

@Suite("GetObject and HeadObject")
struct GetObjectTests {
    @Test("return a range of the body")
    func range() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.get, "/files/public/hello.txt", ["Range": "bytes=2-4"])
            #expect(answer.status == 206)
            #expect(answer.text == "234")
            #expect(answer["Content-Range"] == "bytes 2-4/10")
            #expect(answer["Content-Length"] == "3")
            let head = try await s3.send(.head, "/files/public/hello.txt", ["Range": "bytes=-4"])
            #expect(head.status == 206)
            #expect(head["Content-Range"] == "bytes 6-9/10")
            #expect(head["Content-Length"] == "4")
            let ignored = try await s3.send(.get, "/files/public/hello.txt", ["Range": "bytes=0-1,3-4"])
            #expect(ignored.status == 200)
            #expect(ignored.text == "0123456789")
            #expect(try await s3.put("empty", "").status == 200)
            let suffix = try await s3.send(.get, "/files/empty", ["Range": "bytes=-13"])
            #expect(suffix.status == 200)
            #expect(suffix["Content-Range"] == nil)
            #expect(try await s3.send(.get, "/files/empty", ["Range": "bytes=0-"]).status == 416)
            let beyond = try await s3.send(.get, "/files/public/hello.txt", ["Range": "bytes=10-"])
            #expect(beyond.status == 416)
            #expect(beyond.code == "InvalidRange")
            #expect(beyond.detail("RangeRequested") == "bytes=10-")
            #expect(beyond.detail("ActualObjectSize") == "10")
        }
    }

    @Test("return bodies of any size and every range of them")
    func large() async throws {
        try await S3Sandbox.run { s3 async throws in
            let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) }
            #expect(try await s3.send(.put, "/files/large", body: body).status == 200)
            #expect(try await s3.send(.get, "/files/large").body == body)
            for range in [262_100..<262_200, 0..<700_000, 999_999..<1_000_000] {
                let field = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
                #expect(try await s3.send(.get, "/files/large", ["Range": field]).body == Array(body[range]))
            }
        }
    }

    @Test("ignore a range whose object has changed")
    func ifRange() async throws {
        try await S3Sandbox.run { s3 async throws in
            let path = "/files/public/hello.txt"
            let tag = try #require(try await s3.send(.head, path)["ETag"])
            #expect(try await s3.send(.get, path, ["Range": "bytes=0-1", "If-Range": tag]).status == 206)
            #expect(try await s3.send(.get, path, ["Range": "bytes=0-1", "If-Range": "\"other\""]).status == 200)
        }
    }

    @Test("return 304 if the client has the object")
    func notModified() async throws {
        try await S3Sandbox.run { s3 async throws in
            let path = "/files/public/hello.txt"
            let tag = try #require(try await s3.send(.head, path)["ETag"])
            let same = try await s3.send(.get, path, ["If-None-Match": tag])
            #expect(same.status == 304)
            #expect(same.body.isEmpty)
            #expect(same["ETag"] == tag)
            #expect(same["Last-Modified"] != nil)
            #expect(try await s3.put("kept", "x", ["Cache-Control": "max-age=5", "Expires": "0"]).status == 200)
            let kept = try await s3.send(.get, "/files/kept", ["If-None-Match": "*"])
            #expect(kept.status == 304)
            #expect(kept["Cache-Control"] == "max-age=5")
            #expect(kept["Expires"] == "0")
            let other = try await s3.send(.get, path, ["If-Match": "\"x\""])
            #expect(other.status == 412)
            #expect(other.code == "PreconditionFailed")
            #expect(other.detail("Condition") == "If-Match")
            let head = try await s3.send(.head, path, ["If-Match": "\"x\""])
            #expect(head.status == 412)
            #expect(head.body.isEmpty)
        }
    }

    @Test("override headers of the response for callers who sign")
    func overrides() async throws {
        try await S3Sandbox.run { s3 async throws in
            let path = "/files/public/hello.txt?response-content-type=image%2Fpng&response-cache-control=no-store"
            let answer = try await s3.send(.get, path)
            #expect(answer["Content-Type"] == "image/png")
            #expect(answer["Cache-Control"] == "no-store")
            let policy = """
                {"Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::files/*"}]}
                """
            _ = try await s3.send(.delete, "/files?publicAccessBlock")
            _ = try await s3.send(.put, "/files?policy", body: Array(policy.utf8))
            let anonymous = try await s3.send(.get, path, as: .nobody)
            #expect(anonymous.status == 400)
            #expect(anonymous.code == "InvalidRequest")
        }
    }

    @Test("return one version of an object")
    func versions() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, "/files/public/hello.txt?versionId=null").status == 200)
            let answer = try await s3.send(.get, "/files/public/hello.txt?versionId=HPniJFCxqTsMuIH9KX8K8wEjNUgmABCD")
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
            #expect(answer.detail("ArgumentName") == "versionId")
        }
    }

    @Test("return an earlier date after the sandbox ages")
    func aging() async throws {
        try await S3Sandbox.run { s3 async throws in
            let path = "/files/public/hello.txt"
            let before = try #require(try await s3.send(.head, path)["Last-Modified"].flatMap { Timestamp(httpDate: $0) })
            try await s3.cloud.age(by: .seconds(3600))
            let after = try #require(try await s3.send(.head, path)["Last-Modified"].flatMap { Timestamp(httpDate: $0) })
            #expect(before.seconds - after.seconds == 3600)
        }
    }
}
