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
            #expect(copied.status == 200)
            #expect(copied["x-oss-hash-crc64ecma"] == "5981764153023615706")
            #expect(copied.element("ETag") == "\"5EB63BBBE01EEED093CB22BB8F5ACDC3\"")
            #expect(copied.element("LastModified")?.hasSuffix(".000Z") == true)
            let got = try await oss.send(.get, "/files/dst")
            #expect(got.text == "hello world")
            #expect(got["Content-Type"] == "text/csv")
            #expect(got["Cache-Control"] == "no-cache")
            #expect(got["x-oss-meta-a"] == "1")
            #expect(got["x-oss-meta-b"] == nil)
            #expect(got["x-oss-tagging-count"] == "1")
        }
    }

    /// The actions of a caller beside GetObject, GetObjectVersion and PutObject, the directive and tags of the copy, whether it names a version
    /// of its source, and the action that the caller lacks.
    private static let permissions: [(actions: [String], directive: String, tags: String?, isVersion: Bool, lacks: String?)] = [
        ([], "", nil, false, "GetObjectTagging"),
        (["GetObjectTagging"], "", nil, false, "PutObjectTagging"),
        (["PutObjectTagging"], "Copy", nil, false, "GetObjectTagging"),
        (["GetObjectTagging", "PutObjectTagging"], "Copy", nil, false, nil),
        (["GetObjectTagging", "PutObjectTagging"], "", nil, true, "GetObjectVersionTagging"),
        (["GetObjectVersionTagging", "PutObjectTagging"], "", nil, true, nil),
        ([], "Replace", nil, false, nil),
        ([], "Replace", "a=b", false, "PutObjectTagging"),
        (["PutObjectTagging"], "Replace", "a=b", false, nil),
    ]

    @Test("need permission for the tags that they take over", arguments: permissions)
    func tagPermissions(actions: [String], directive: String, tags: String?, isVersion: Bool, lacks: String?) async throws {
        let names = (["GetObject", "GetObjectVersion", "PutObject"] + actions).map { "\"oss:\($0)\"" }.joined(separator: ",")
        let seed = """
            {alibaba: {accounts: [{id: "\(OSSSandbox.owner)", name: "harbour", rootKeys: [{id: "LTAIowner", secret: "owner"}],
              users: [{name: "copier", accessKeys: [{id: "LTAIcopier", secret: "copier"}], policies: ["copies"]}],
              policies: [{name: "copies", document: {Version: "1", Statement: [{Effect: "Allow", Action: [\(names)], Resource: "*"}]}}],
              buckets: [{name: "files", versioning: true}]}]}}
            """
        try await OSSSandbox.run(seed: seed) { oss async throws in
            let version = try #require(try await oss.put("src", "x", ["x-oss-tagging": "t=1"])["x-oss-version-id"])
            let source = "/files/src" + (isVersion ? "?versionId=\(version)" : "")
            let fields: KeyValuePairs =
                if let tags {
                    ["x-oss-copy-source": source, "x-oss-tagging-directive": directive, "x-oss-tagging": tags]
                } else {
                    ["x-oss-copy-source": source, "x-oss-tagging-directive": directive]
                }
            let copied = try await oss.send(.put, "/files/dst", fields, as: .key("LTAIcopier", secret: "copier", token: nil))
            #expect(copied.status == (lacks == nil ? 200 : 403))
            #expect(copied.element("AccessDeniedDetail", "AuthAction") == lacks.map { "oss:\($0)" })
            #expect(try await oss.send(.head, "/files/dst").status == (lacks == nil ? 200 : 404))
        }
    }

    @Test("need no permission for tags if the source has none")
    func withoutTags() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("public/plain", "x")
            let policy = """
                {"Version":"1","Statement":[{"Effect":"Allow","Principal":["*"],"Action":["oss:GetObject","oss:PutObject"],\
                "Resource":["acs:oss:*:\(OSSSandbox.owner):files/*"]}]}
                """
            #expect(try await oss.send(.put, "/files?policy", document: policy).status == 200)
            #expect(try await oss.send(.put, "/files/dst", ["x-oss-copy-source": "/files/public/plain"], as: .reader).status == 200)
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
            #expect(copy["x-oss-meta-a"] == nil)
            #expect(copy["x-oss-meta-b"] == "2")
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
            #expect(got["Content-Type"] == "text/csv")
            #expect(got["Content-Language"] == nil)
            #expect(got["Cache-Control"] == nil)
            #expect(got["x-oss-meta-a"] == nil)
            #expect(got["x-oss-meta-b"] == "2")
            #expect(got["x-oss-tagging-count"] == nil)
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
            #expect(got.text == "x")
            #expect(got["x-oss-meta-a"] == nil)
            #expect(got["x-oss-meta-b"] == "2")
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
