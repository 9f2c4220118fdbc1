import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import OSSFace

/// OSS API Reference, PutSymlink and GetSymlink.
@Suite("Symbolic links of OSS")
struct SymlinkTests {
    @Test("return the object of their target")
    func follows() async throws {
        try await OSSSandbox.run { oss async throws in
            let put = try await oss.send(
                .put, "/files/link?symlink", ["x-oss-symlink-target": "public%2Fhello.txt", "x-oss-meta-mine": "1"])
            #expect(put.status == 200)
            let link = try await oss.send(.get, "/files/link?symlink")
            #expect(link["x-oss-symlink-target"] == "public%2Fhello.txt")
            #expect(link["ETag"] == put["ETag"])
            let got = try await oss.send(.get, "/files/link")
            #expect(got.text == "0123456789")
            #expect(got["x-oss-object-type"] == "Symlink")
            #expect(got["x-oss-meta-mine"] == "1")
            #expect(got["x-oss-meta-colour"] == nil)
            let target = try await oss.send(.head, "/files/public/hello.txt")
            let head = try await oss.send(.head, "/files/link")
            #expect(head["Content-Length"] == "10")
            #expect(head["ETag"] == target["ETag"])
            #expect(try await oss.send(.get, "/files/link", ["Range": "bytes=2-3"]).text == "23")
        }
    }

    @Test("to a missing object or a link are refused when read")
    func refusals() async throws {
        try await OSSSandbox.run { oss async throws in
            _ = try await oss.send(.put, "/files/a?symlink", ["x-oss-symlink-target": "none"])
            let dangling = try await oss.send(.get, "/files/a")
            #expect(dangling.status == 404)
            #expect(dangling.code == "SymlinkTargetNotExist")
            #expect(dangling["x-oss-ec"] == "0026-00000012")
            _ = try await oss.send(.put, "/files/b?symlink", ["x-oss-symlink-target": "a"])
            #expect(try await oss.send(.get, "/files/b").code == "InvalidTargetType")
            #expect(try await oss.send(.get, "/files/public/hello.txt?symlink").code == "NotSymlink")
            #expect(try await oss.send(.get, "/files/none?symlink").code == "NoSuchKey")
            #expect(try await oss.send(.put, "/files/c?symlink").code == "InvalidArgument")
            #expect(try await oss.send(.put, "/files/c?symlink", ["x-oss-symlink-target": "%2Fa"]).code == "InvalidObjectName")
            let forbidden = try await oss.send(
                .put, "/files/a?symlink", ["x-oss-symlink-target": "x", "x-oss-forbid-overwrite": "true"])
            #expect(forbidden.code == "FileAlreadyExists")
        }
    }

    @Test("are copied as links, with their entity tag")
    func copies() async throws {
        try await OSSSandbox.run { oss async throws in
            let put = try await oss.send(.put, "/files/link?symlink", ["x-oss-symlink-target": "public%2Fhello.txt"])
            let copied = try await oss.send(.put, "/files/copy", ["x-oss-copy-source": "/files/link"])
            #expect(copied.status == 200)
            #expect(copied.element("ETag") == put["ETag"])
            #expect(copied["x-oss-hash-crc64ecma"] == nil)
            let link = try await oss.send(.get, "/files/copy?symlink")
            #expect(link["x-oss-symlink-target"] == "public%2Fhello.txt")
            #expect(link["ETag"] == put["ETag"])
            #expect(try await oss.send(.get, "/files/copy").text == "0123456789")
        }
    }

    @Test("do not reveal their target to callers without permission")
    func permission() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("private.txt", "secret")
            _ = try await oss.send(
                .put, "/files/public/link?symlink", ["x-oss-symlink-target": "private.txt"])
            #expect(try await oss.send(.get, "/files/public/link?symlink", as: .reader).status == 200)
            let answer = try await oss.send(.get, "/files/public/link", as: .reader)
            #expect(answer.status == 403)
            #expect(answer.code == "AccessDenied")
        }
    }
}
