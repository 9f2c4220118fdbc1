import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

@Suite("ListObjects")
struct ListObjectsTests {
    static let keys = ["a+b", "foo/bar", "foo/baz", "foo+1/bar", "plain", "quux ab/thud"]

    private func withKeys(_ test: (S3Sandbox) async throws -> Void) async throws {
        try await S3Sandbox.run { s3 async throws in
            _ = try await s3.send(.put, "/listing")
            for key in Self.keys {
                _ = try await s3.send(.put, "/listing/\(percentEncoded(key, keepingSlash: true))", body: Array(key.utf8))
            }
            try await test(s3)
        }
    }

    @Test("returns keys in the order of their bytes, with their properties")
    func contents() async throws {
        try await withKeys { s3 async throws in
            let result = try await s3.send(.get, "/listing?list-type=2").xml
            #expect(result.name == "ListBucketResult")
            #expect(result.child("Name")?.text == "listing")
            #expect(result.keys == Self.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
            #expect(result.child("KeyCount")?.text == "6")
            #expect(result.child("MaxKeys")?.text == "1000")
            #expect(result.child("IsTruncated")?.text == "false")
            #expect(result.child("NextContinuationToken") == nil)
            let first = try #require(result.child("Contents"))
            #expect(
                first.children.map(\.name) == [
                    "Key", "LastModified", "ETag", "ChecksumAlgorithm", "ChecksumType", "Size", "StorageClass",
                ])
            #expect(first.child("Size")?.text == "3")
            #expect(first.child("StorageClass")?.text == "STANDARD")
            #expect(first.child("LastModified")?.text.hasSuffix("Z") == true)
            let owned = try await s3.send(.get, "/listing?list-type=2&fetch-owner=true").xml
            #expect(owned.child("Contents")?.child("Owner")?.child("ID")?.text.count == 64)
        }
    }

    @Test("groups keys by the delimiter, and encodes them on request")
    func delimiter() async throws {
        try await withKeys { s3 async throws in
            let result = try await s3.send(.get, "/listing?list-type=2&delimiter=%2F&encoding-type=url").xml
            #expect(result.keys == ["a%2Bb", "plain"])
            #expect(result.prefixes == ["foo%2B1/", "foo/", "quux+ab/"])
            #expect(result.child("Delimiter")?.text == "/")
            #expect(result.child("EncodingType")?.text == "url")
            #expect(result.child("KeyCount")?.text == "5")
            let folder = try await s3.send(.get, "/listing?list-type=2&delimiter=/&prefix=foo/").xml
            #expect(folder.keys == ["foo/bar", "foo/baz"])
            #expect(folder.prefixes.isEmpty)
            #expect(folder.child("Prefix")?.text == "foo/")
        }
    }

    @Test("continues where the previous page ended", arguments: [1, 2, 4])
    func pages(_ size: Int) async throws {
        try await withKeys { s3 async throws in
            var entries: [String] = []
            var token: String?
            repeat {
                let parameter = token.map { "&continuation-token=\(percentEncoded($0))" } ?? ""
                let page = try await s3.send(.get, "/listing?list-type=2&delimiter=/&max-keys=\(size)\(parameter)").xml
                entries += page.keys + page.prefixes
                token = page.child("NextContinuationToken")?.text
                #expect((page.child("IsTruncated")?.text == "true") == (token != nil))
            } while token != nil
            #expect(entries.sorted() == ["a+b", "foo+1/", "foo/", "plain", "quux ab/"])
        }
    }

    @Test("returns a next marker only with a delimiter")
    func markers() async throws {
        try await withKeys { s3 async throws in
            let first = try await s3.send(.get, "/listing?max-keys=2&delimiter=/").xml
            #expect(first.child("NextMarker")?.text == "foo+1/")
            #expect(first.child("Marker")?.text == "")
            let second = try await s3.send(.get, "/listing?max-keys=2&delimiter=/&marker=foo%2B1/").xml
            #expect(second.keys == ["plain"])
            #expect(second.prefixes == ["foo/"])
            let plain = try await s3.send(.get, "/listing?max-keys=2").xml
            #expect(plain.child("NextMarker") == nil)
            #expect(plain.child("IsTruncated")?.text == "true")
            #expect(plain.child("Contents")?.child("Owner") != nil)
        }
    }

    @Test("starts after a key")
    func startAfter() async throws {
        try await withKeys { s3 async throws in
            let result = try await s3.send(.get, "/listing?list-type=2&start-after=foo/baz").xml
            #expect(result.keys == ["plain", "quux ab/thud"])
            #expect(result.child("StartAfter")?.text == "foo/baz")
        }
    }

    @Test("of nothing is an empty page")
    func none() async throws {
        try await withKeys { s3 async throws in
            let result = try await s3.send(.get, "/listing?list-type=2&max-keys=0").xml
            #expect(result.keys.isEmpty)
            #expect(result.child("IsTruncated")?.text == "false")
            #expect(result.child("MaxKeys")?.text == "0")
        }
    }

    /// (brekkylab/backlot, measured in S3 2026-09-14 and 2026-09-29; a list of uploads has the limit that applies.)
    @Test(
        "shows the limit as requested, and RADOS Gateway the one that applies",
        arguments: [
            ("", "MaxKeys", "1001"), ("list-type=2&", "MaxKeys", "1001"), ("versions&", "MaxKeys", "1001"),
            ("uploads&", "MaxUploads", "1000"),
        ])
    func requestedLimit(_ query: String, _ member: String, _ shown: String) async throws {
        let target = "/files?\(query)\(query.hasPrefix("uploads") ? "max-uploads" : "max-keys")=1001"
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, target).xml.child(member)?.text == shown)
        }
        try await S3Sandbox.run(dialect: .ceph) { s3 async throws in
            #expect(try await s3.send(.get, target).xml.child(member)?.text == "1000")
        }
    }

    /// (brekkylab/backlot, measured in S3.)
    @Test("takes the name of the encoding in any case, and shows it as sent", arguments: ["", "list-type=2&", "versions&", "uploads&"])
    func nameOfEncoding(_ query: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let listed = try await s3.send(.get, "/files?\(query)encoding-type=URL&prefix=a%20b").xml
            #expect(listed.child("EncodingType")?.text == "URL")
            #expect(listed.child("Prefix")?.text == (query.isEmpty ? "a b" : "a+b"))
        }
    }

    /// (brekkylab/backlot, measured in S3 2026-09-11 and 2026-09-29.)
    @Test(
        "has an empty delimiter or prefix only where S3 has",
        arguments: [
            ("", false, true), ("list-type=2&", false, true), ("versions&", true, true), ("uploads&", false, false),
        ])
    func emptyMembers(_ query: String, _ hasDelimiter: Bool, _ hasPrefix: Bool) async throws {
        try await S3Sandbox.run { s3 async throws in
            let listed = try await s3.send(.get, "/files?\(query)delimiter=&prefix=").xml
            #expect((listed.child("Delimiter") != nil) == hasDelimiter)
            #expect((listed.child("Prefix") != nil) == hasPrefix)
        }
    }

    @Test(
        "refuses malformed parameters",
        arguments: ["max-keys=blah", "max-keys=-1", "encoding-type=value", "list-type=2&continuation-token=nonsense"])
    func refuses(_ query: String) async throws {
        try await withKeys { s3 async throws in
            let answer = try await s3.send(.get, "/listing?\(query)")
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
        }
    }

    /// (brekkylab/backlot#192, floci-io/floci#3510; versity/versitygw#1809 on versions.)
    @Test(
        "names a negative limit as the operation does",
        arguments: [
            ("max-keys=-1", "Argument maxKeys must be an integer between 0 and 2147483647", "maxKeys", "-1"),
            ("list-type=2&max-keys=-01", "Argument maxKeys must be an integer between 0 and 2147483647", "maxKeys", "-1"),
            ("list-type=2&max-keys=x", "Provided max-keys not an integer or within integer range", "max-keys", "x"),
            ("versions&max-keys=-1", "max-keys cannot be negative", "max-keys", nil),
            ("uploads&max-uploads=-1", "Argument max-uploads must be an integer between 0 and 2147483647", "max-uploads", "-1"),
            ("max-keys=-1&encoding-type=value", "Invalid Encoding Method specified in Request", "encoding-type", "value"),
        ] as [(String, String, String, String?)])
    func negative(_ query: String, _ message: String, _ name: String, _ value: String?) async throws {
        try await withKeys { s3 async throws in
            let answer = try await s3.send(.get, "/listing?\(query)")
            #expect(answer.detail("Message") == message)
            #expect(answer.detail("ArgumentName") == name)
            #expect(answer.detail("ArgumentValue") == value)
        }
    }
}

extension XMLElement {
    fileprivate var keys: [String] { children(named: "Contents").compactMap { $0.child("Key")?.text } }
    fileprivate var prefixes: [String] { children(named: "CommonPrefixes").compactMap { $0.child("Prefix")?.text } }
}
