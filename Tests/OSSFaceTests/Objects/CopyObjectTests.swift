import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import OSSFace

/// OSS API Reference, CopyObject.
@Suite("Copies of objects of OSS")
struct CopyObjectTests {
    private static let metadata: KeyValuePairs<String, String> = [
        "Content-Type": "text/csv", "Content-Language": "en", "Cache-Control": "no-cache", "x-oss-meta-a": "1", "x-oss-tagging": "t=1",
    ]

    @Test("copy metadata and tags by default", arguments: ["COPY", "copy", nil])
    func copies(_ directive: String?) async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("src/\u{E4} ?.txt", "hello world", Self.metadata)
            let source = "/files/" + percentEncoded("src/\u{E4} ?.txt")
            let copied =
                if let directive {
                    try await oss.send(
                        .put, "/files/dst", ["x-oss-copy-source": source, "x-oss-metadata-directive": directive, "x-oss-meta-b": "2"])
                } else {
                    try await oss.send(.put, "/files/dst", ["x-oss-copy-source": source, "x-oss-meta-b": "2"])
                }
            #expect(copied.status == 200 && copied["x-oss-hash-crc64ecma"] == "5981764153023615706")
            #expect(copied.element("ETag") == "\"5EB63BBBE01EEED093CB22BB8F5ACDC3\"")
            #expect(copied.element("LastModified")?.hasSuffix(".000Z") == true)
            let got = try await oss.send(.get, "/files/dst")
            #expect(got.text == "hello world" && got["Content-Type"] == "text/csv" && got["Cache-Control"] == "no-cache")
            #expect(got["x-oss-meta-a"] == "1" && got["x-oss-meta-b"] == nil && got["x-oss-tagging-count"] == "1")
        }
    }

    @Test("keep the metadata of client-side encryption, even if they replace the others")
    func clientSideEncryption() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("src", "x", ["x-oss-meta-client-side-encryption-key": "k1", "x-oss-meta-a": "1"])
            _ = try await oss.send(
                .put, "/files/dst",
                ["x-oss-copy-source": "/files/src", "x-oss-metadata-directive": "REPLACE", "x-oss-meta-b": "2"])
            let copy = try await oss.send(.head, "/files/dst")
            #expect(copy["x-oss-meta-client-side-encryption-key"] == "k1")
            #expect(copy["x-oss-meta-a"] == nil && copy["x-oss-meta-b"] == "2")
        }
    }

    @Test("with REPLACE have the request's metadata; the type is kept if the request has none")
    func replaces() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("src", "x", Self.metadata)
            _ = try await oss.send(
                .put, "/files/dst",
                [
                    "x-oss-copy-source": "/files/src", "x-oss-metadata-directive": "replace", "x-oss-tagging-directive": "Replace",
                    "x-oss-meta-b": "2", "x-oss-storage-class": "IA",
                ])
            let got = try await oss.send(.head, "/files/dst")
            #expect(got["Content-Type"] == "text/csv" && got["Content-Language"] == nil && got["Cache-Control"] == nil)
            #expect(got["x-oss-meta-a"] == nil && got["x-oss-meta-b"] == "2" && got["x-oss-tagging-count"] == nil)
            #expect(got["x-oss-storage-class"] == "IA")
            let unknown = try await oss.send(
                .put, "/files/dst", ["x-oss-copy-source": "/files/src", "x-oss-metadata-directive": "both"])
            #expect(unknown.code == "InvalidArgument")
        }
    }

    @Test("of an object onto itself take the request's metadata")
    func ontoItself() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("a", "x", Self.metadata)
            _ = try await oss.send(.put, "/files/a", ["x-oss-copy-source": "/files/a", "x-oss-meta-b": "2"])
            let got = try await oss.send(.get, "/files/a")
            #expect(got.text == "x" && got["x-oss-meta-a"] == nil && got["x-oss-meta-b"] == "2")
        }
    }

    @Test("are made under conditions on the source")
    func conditions() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("src", "hello world")
            let tag = "\"5EB63BBBE01EEED093CB22BB8F5ACDC3\""
            let none = try await oss.send(.put, "/files/dst", ["x-oss-copy-source": "/files/src", "x-oss-copy-source-if-none-match": tag])
            #expect(none.status == 304)
            let other = try await oss.send(.put, "/files/dst", ["x-oss-copy-source": "/files/src", "x-oss-copy-source-if-match": "\"00\""])
            #expect(other.status == 412)
            let good = try await oss.send(.put, "/files/dst", ["x-oss-copy-source": "/files/src", "x-oss-copy-source-if-match": tag])
            #expect(good.status == 200)
            let forbidden = try await oss.send(
                .put, "/files/dst", ["x-oss-copy-source": "/files/src", "x-oss-forbid-overwrite": "true"])
            #expect(forbidden.code == "FileAlreadyExists")
        }
    }

    @Test("need an existing source that the caller may read")
    func sources() async throws {
        try await OSSSandbox.run { oss async throws in
            for (source, code) in [
                ("/files/none", "NoSuchKey"), ("/nowhere/a", "NoSuchBucket"), ("files", "InvalidArgument"), ("/foreign/a", "AccessDenied"),
                ("/files/%zz", "InvalidArgument"), ("/files/public/hello.txt?versionId=x", "InvalidArgument"),
            ] {
                #expect(try await oss.send(.put, "/files/dst", ["x-oss-copy-source": source]).code == code)
            }
        }
    }
}
