import Cloud
import HTTPTypes
import ObjectStore
import Testing

@testable import OSSFace

/// OSS has no headers for a customer key, so it cannot check one.
@Suite("An object that S3 encrypted with a customer key")
struct CustomerKeyTests {
    private static func run(_ test: (OSSSandbox) async throws -> Void) async throws {
        try await OSSSandbox.run { oss async throws in
            let bucket = try #require(oss.cloud.objects.bucket(named: "files"))
            try await oss.cloud.objects.configure(bucket.id) { $0.documents[.sharedWith] = "000000000000" }
            let encryption = ObjectEncryption(
                scheme: .customer, customerKeyMD5: "mT2HRsMGJ5IX5C+0rreZ8Q==", customerKeyCheck: Array(repeating: 7, count: 48))
            try await oss.store("secret", "a,b\n1,2\n", encryption: encryption)
            try await test(oss)
        }
    }

    private static func isRefused(_ answer: OSSAnswer) -> Bool {
        answer.status == 403 && answer.code == "AccessDenied" && answer.text.contains("SSE-C") && answer["ETag"] == nil
            && !answer.text.contains("1,2")
    }

    @Test("is not returned by GetObject, and not described by HeadObject and GetObjectMeta")
    func reads() async throws {
        try await Self.run { oss async throws in
            #expect(Self.isRefused(try await oss.send(.get, "/files/secret")))
            #expect(Self.isRefused(try await oss.send(.get, "/files/secret", ["Range": "bytes=0-1"])))
            #expect(Self.isRefused(try await oss.send(.get, "/files/secret?objectMeta")))
            for target in ["/files/secret", "/files/secret?objectMeta"] {
                let head = try await oss.send(.head, target)
                #expect(head.status == 403)
                #expect(head.body.isEmpty)
                #expect(head["ETag"] == nil)
                #expect(head["x-oss-hash-crc64ecma"] == nil)
                #expect(head["x-oss-err"] != nil)
                #expect(head["x-oss-ec"] != nil)
            }
        }
    }

    @Test("is not copied, as a whole or as a part")
    func copies() async throws {
        try await Self.run { oss async throws in
            #expect(Self.isRefused(try await oss.send(.put, "/files/copy", ["x-oss-copy-source": "/files/secret"])))
            let upload = try #require(try await oss.send(.post, "/files/parts?uploads").element("UploadId"))
            let part = try await oss.send(.put, "/files/parts?partNumber=1&uploadId=\(upload)", ["x-oss-copy-source": "/files/secret"])
            #expect(Self.isRefused(part))
        }
    }

    @Test("is not queried")
    func queries() async throws {
        try await Self.run { oss async throws in
            let request = "<SelectRequest><Expression>c2VsZWN0ICogZnJvbSBvc3NvYmplY3Q=</Expression></SelectRequest>"
            #expect(Self.isRefused(try await oss.send(.post, "/files/secret?x-oss-process=csv%2Fselect", document: request)))
            let meta = "<CsvMetaRequest></CsvMetaRequest>"
            #expect(Self.isRefused(try await oss.send(.post, "/files/secret?x-oss-process=csv%2Fmeta", document: meta)))
        }
    }

    @Test("is not reached through a symbolic link")
    func links() async throws {
        try await Self.run { oss async throws in
            #expect(try await oss.send(.put, "/files/link?symlink", ["x-oss-symlink-target": "secret"]).status == 200)
            #expect(Self.isRefused(try await oss.send(.get, "/files/link")))
            #expect(try await oss.send(.head, "/files/link").status == 403)
        }
    }
}
