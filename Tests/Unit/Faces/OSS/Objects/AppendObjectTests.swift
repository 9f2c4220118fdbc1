import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import OSSFace

/// OSS API Reference, AppendObject and SealAppendObject.
@Suite("Appends to objects of OSS")
struct AppendObjectTests {
    @Test("extend the object and its CRC")
    func grows() async throws {
        try await OSSSandbox.run { oss async throws in
            let first = try await oss.send(
                .post, "/files/log?append&position=0", ["Content-Type": "text/plain", "x-oss-meta-a": "1"], body: Array("hello ".utf8))
            #expect(first.status == 200)
            #expect(first["x-oss-next-append-position"] == "6")
            let second = try await oss.send(
                .post, "/files/log?append&position=6", ["Content-Type": "image/png", "x-oss-tagging": "a=1&a=2"],
                body: Array("world".utf8))
            #expect(second["x-oss-next-append-position"] == "11")
            #expect(second["x-oss-hash-crc64ecma"] == "5981764153023615706")
            let got = try await oss.send(.get, "/files/log")
            #expect(got.text == "hello world")
            #expect(got["x-oss-object-type"] == "Appendable")
            #expect(got["x-oss-next-append-position"] == "11")
            #expect(got["x-oss-hash-crc64ecma"] == "5981764153023615706")
            #expect(got["Content-Type"] == "text/plain")
            #expect(got["x-oss-meta-a"] == "1")
            #expect(got["Content-MD5"] == nil)
            #expect(got["ETag"] == second["ETag"])
        }
    }

    @Test("require the position at the end, and an appendable object")
    func refusals() async throws {
        try await OSSSandbox.run { oss async throws in
            let missing = try await oss.send(.post, "/files/log?append&position=3", body: [1])
            #expect(missing.status == 409)
            #expect(missing.code == "PositionNotEqualToLength")
            #expect(missing["x-oss-next-append-position"] == "0")
            _ = try await oss.send(.post, "/files/log?append&position=0", body: [])
            #expect(try await oss.send(.head, "/files/log")["Content-Length"] == "0")
            _ = try await oss.send(.post, "/files/log?append&position=0", body: [1, 2])
            let wrong = try await oss.send(.post, "/files/log?append&position=0", body: [3])
            #expect(wrong.code == "PositionNotEqualToLength")
            #expect(wrong["x-oss-next-append-position"] == "2")
            let normal = try await oss.send(.post, "/files/public/hello.txt?append&position=10", body: [1])
            #expect(normal.status == 409)
            #expect(normal.code == "ObjectNotAppendable")
            #expect(try await oss.send(.post, "/files/log?append", body: [1]).code == "MissingArgument")
            #expect(try await oss.send(.post, "/files/log?append&position=-1", body: [1]).code == "InvalidArgument")
            #expect(try await oss.send(.put, "/files/copy", ["x-oss-copy-source": "/files/log"]).code == "OperationNotSupported")
        }
    }

    @Test("ignore the headers about the object after the first append, even invalid ones")
    func declarations() async throws {
        try await OSSSandbox.run { oss async throws in
            let tags = (0..<11).map { "k\($0)=v" }.joined(separator: "&")
            #expect(try await oss.send(.post, "/files/log?append&position=0", ["x-oss-tagging": tags], body: [1]).code == "InvalidTag")
            _ = try await oss.send(
                .post, "/files/log?append&position=0", ["x-oss-tagging": "k=v", "x-oss-server-side-encryption": "KMS"], body: [1])
            let second = try await oss.send(
                .post, "/files/log?append&position=1", ["x-oss-tagging": tags, "x-oss-server-side-encryption": "none"], body: [2])
            #expect(second.status == 200)
            #expect(second["x-oss-server-side-encryption"] == "KMS")
            #expect(try await oss.send(.head, "/files/log")["x-oss-tagging-count"] == "1")
            // Only an append at position 0 can create an object.
            let missing = try await oss.send(.post, "/files/none?append&position=1", ["x-oss-tagging": tags], body: [2])
            #expect(missing.code == "PositionNotEqualToLength")
        }
    }

    @Test("are refused after the object is sealed")
    func seal() async throws {
        try await OSSSandbox.run { oss async throws in
            _ = try await oss.send(.post, "/files/log?append&position=0", body: [1, 2])
            #expect(try await oss.send(.post, "/files/log?seal&position=1").code == "PositionNotEqualToLength")
            let sealed = try await oss.send(.post, "/files/log?seal&position=2")
            #expect(sealed.status == 200)
            let time = try #require(sealed["x-oss-sealed-time"])
            #expect(try await oss.send(.post, "/files/log?seal&position=2")["x-oss-sealed-time"] == time)
            #expect(try await oss.send(.head, "/files/log")["x-oss-sealed-time"] == time)
            let more = try await oss.send(.post, "/files/log?append&position=2", body: [3])
            #expect(more.status == 400)
            #expect(more.code == "AppendSealedObjectNotAllowed")
            #expect(try await oss.send(.post, "/files/public/hello.txt?seal&position=10").code == "ObjectNotAppendable")
        }
    }
}
