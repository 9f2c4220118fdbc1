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

@Suite("DeleteObject and DeleteObjects")
struct DeleteObjectTests {
    @Test("return the same response whether the object existed or not")
    func deletes() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.delete, "/files/public/hello.txt").status == 204)
            #expect(try await s3.send(.delete, "/files/public/hello.txt").status == 204)
            #expect(try await s3.send(.get, "/files/public/hello.txt").code == "NoSuchKey")
            let version = try await s3.send(.delete, "/files/k?versionId=HPniJFCxqTsMuIH9KX8K8wEjNUgmABCD")
            #expect(version.code == "InvalidArgument")
        }
    }

    @Test("can be conditional")
    func conditions() async throws {
        try await S3Sandbox.run { s3 async throws in
            let path = "/files/public/hello.txt"
            #expect(try await s3.send(.delete, path, ["If-Match": "\"x\""]).status == 412)
            let tag = try #require(try await s3.send(.head, path)["ETag"])
            #expect(try await s3.send(.delete, path, ["If-Match": tag]).status == 204)
            let size = try await s3.send(.delete, path, ["x-amz-if-match-size": "1"])
            #expect(size.status == 501)
            #expect(size.detail("Header") == "x-amz-if-match-size")
        }
    }

    private func document(_ keys: [String], quiet: Bool = false) -> String {
        "<Delete>" + keys.map { "<Object><Key>\($0)</Key></Object>" }.joined() + (quiet ? "<Quiet>true</Quiet>" : "")
            + "</Delete>"
    }

    private func deleteMany(_ s3: S3Sandbox, _ document: String, as who: S3Sandbox.Signer = .root) async throws -> FaceAnswer {
        let body = Array(document.utf8)
        var checksum = RunningChecksum(.crc32)
        body.withUnsafeBytes { checksum.update($0) }
        return try await s3.send(
            .post, "/files?delete", ["x-amz-checksum-crc32": checksum.finalize().base64], body: body, as: who)
    }

    @Test("accept many keys, with a result for each")
    func many() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("a", "")
            let answer = try await deleteMany(s3, document(["a", "none", "&lt;b&gt;"]))
            #expect(answer.status == 200)
            let deleted = try answer.xml.children(named: "Deleted").compactMap { $0.child("Key")?.text }
            #expect(deleted == ["a", "none", "<b>"])
            #expect(try await s3.send(.head, "/files/a").status == 404)
            let quiet = try await deleteMany(s3, document(["a"], quiet: true))
            #expect(try quiet.xml.name == "DeleteResult")
            #expect(try quiet.xml.children.isEmpty)
        }
    }

    @Test("refuse each key that the caller may not delete")
    func refusals() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("private", "")
            let answer = try await deleteMany(s3, document(["public/hello.txt", "private"]), as: .lister)
            #expect(answer.status == 200)
            #expect(try answer.xml.children(named: "Deleted").compactMap { $0.child("Key")?.text } == ["public/hello.txt"])
            let error = try #require(try answer.xml.child("Error"))
            #expect(error.child("Key")?.text == "private")
            #expect(error.child("Code")?.text == "AccessDenied")
            #expect(try await s3.send(.head, "/files/private").status == 200)
        }
    }

    @Test(
        "refuse malformed documents",
        arguments: [
            "", "<Delete/>", "<Delete><Object/></Delete>", "<Delete><Foo/></Delete>", "<Remove/>",
            "<Delete>" + String(repeating: "<Object><Key>k</Key></Object>", count: 1001) + "</Delete>",
        ])
    func malformed(_ document: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await deleteMany(s3, document)
            #expect(answer.status == 400)
            #expect(answer.code == "MalformedXML")
        }
    }

    @Test("require a digest for many keys")
    func digest() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.post, "/files?delete", body: Array(document(["a"]).utf8))
            #expect(answer.detail("Message") == "Missing required header for this request: Content-MD5 OR x-amz-checksum-*")
        }
    }
}
