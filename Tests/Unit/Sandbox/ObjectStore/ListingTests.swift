import ObjectStore
import Testing

@testable import ObjectStore

@Suite("The listing of objects")
struct ListingTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let name: String
        let query: ListQuery
        /// Common prefixes are marked with a star.
        let expected: [String]
        var isTruncated = false
        var testDescription: String { name }
    }

    static let keys = [
        " ", "a", "a/", "a/b", "a/b/c", "a/b/d", "a0", "b/x", "b/y", "c", "photos/2026/jan", "photos/2026/feb", "photos/x",
        "Z", "\u{e9}", "\u{10ffff}", "\u{10ffff}x", "~",
    ]

    static let examples = [
        Example(
            name: "everything, in the order of the bytes", query: ListQuery(),
            expected: [
                " ", "Z", "a", "a/", "a/b", "a/b/c", "a/b/d", "a0", "b/x", "b/y", "c", "photos/2026/feb", "photos/2026/jan",
                "photos/x", "~", "\u{e9}", "\u{10ffff}", "\u{10ffff}x",
            ]),
        Example(
            name: "a prefix", query: ListQuery(prefix: "a/b"), expected: ["a/b", "a/b/c", "a/b/d"]),
        Example(name: "a prefix that is a key", query: ListQuery(prefix: "a/b/c"), expected: ["a/b/c"]),
        Example(name: "a prefix of nothing", query: ListQuery(prefix: "nothing"), expected: []),
        Example(
            name: "the prefix with the greatest code point", query: ListQuery(prefix: "\u{10ffff}"),
            expected: ["\u{10ffff}", "\u{10ffff}x"]),
        Example(
            name: "a delimiter", query: ListQuery(delimiter: "/"),
            expected: [" ", "Z", "a", "*a/", "a0", "*b/", "c", "*photos/", "~", "\u{e9}", "\u{10ffff}", "\u{10ffff}x"]),
        Example(
            name: "a delimiter after a prefix", query: ListQuery(prefix: "a/", delimiter: "/"),
            expected: ["a/", "a/b", "*a/b/"]),
        Example(
            name: "a prefix without its delimiter", query: ListQuery(prefix: "photos/2026", delimiter: "/"),
            expected: ["*photos/2026/"]),
        Example(
            name: "a delimiter of several characters", query: ListQuery(prefix: "photos", delimiter: "/2026/"),
            expected: ["*photos/2026/", "photos/x"]),
        Example(
            name: "an empty delimiter", query: ListQuery(prefix: "b", delimiter: ""), expected: ["b/x", "b/y"]),
        Example(name: "a marker that is a key", query: ListQuery(prefix: "a/", after: "a/b"), expected: ["a/b/c", "a/b/d"]),
        Example(
            name: "a marker that is no key", query: ListQuery(prefix: "a", after: "a/b/cc"), expected: ["a/b/d", "a0"]),
        Example(
            name: "a marker before the prefix", query: ListQuery(prefix: "b", after: "a"), expected: ["b/x", "b/y"]),
        Example(name: "a marker after the prefix", query: ListQuery(prefix: "b", after: "c"), expected: []),
        Example(
            name: "a marker that is a common prefix", query: ListQuery(delimiter: "/", after: "a/", limit: 2),
            expected: ["a0", "*b/"], isTruncated: true),
        Example(
            name: "a marker inside a common prefix", query: ListQuery(delimiter: "/", after: "a/b", limit: 2),
            expected: ["*a/", "a0"], isTruncated: true),
        Example(
            name: "a marker past the last key of a common prefix", query: ListQuery(delimiter: "/", after: "b/y", limit: 1),
            expected: ["c"], isTruncated: true),
        Example(
            name: "a common prefix as marker without its delimiter", query: ListQuery(prefix: "a/", after: "a/"),
            expected: ["a/b", "a/b/c", "a/b/d"]),
        Example(name: "exactly as many as there are", query: ListQuery(prefix: "b/", limit: 2), expected: ["b/x", "b/y"]),
        Example(
            name: "one common prefix at the end", query: ListQuery(prefix: "photos", delimiter: "/", limit: 1),
            expected: ["*photos/"]),
        Example(name: "a limit of nothing", query: ListQuery(limit: 0), expected: []),
    ]

    @Test("returns keys and common prefixes", arguments: examples)
    func lists(_ example: Example) async throws {
        try await StoreFixture.run { fixture in
            for key in Self.keys { try await fixture.put(key, Array(key.utf8)) }
            let page = try await fixture.store.list(example.query, in: fixture.box)
            #expect(page.entries.map(\.name.utf8Array) == example.expected.map(\.utf8Array))
            #expect(page.isTruncated == example.isTruncated)
        }
    }

    @Test("in pages of any size returns every entry once", arguments: 1...6, [nil, "/", "b", "/2026/"])
    func pages(_ limit: Int, _ delimiter: String?) async throws {
        try await StoreFixture.run { fixture in
            for key in Self.keys { try await fixture.put(key, [1]) }
            let whole = try await fixture.store.list(ListQuery(delimiter: delimiter), in: fixture.box)
            var query = ListQuery(delimiter: delimiter, limit: limit)
            var entries: [ListEntry] = []
            while true {
                let page = try await fixture.store.list(query, in: fixture.box)
                entries += page.entries
                #expect(page.entries.count == limit || !page.isTruncated)
                guard page.isTruncated else { break }
                let last: String = try #require(page.last)
                query.after = last
            }
            #expect(entries == whole.entries)
        }
    }

    @Test("returns the listed properties of each object")
    func record() async throws {
        try await StoreFixture.run { fixture in
            let object = NewObject(
                key: "key", attributes: ObjectAttributes(storageClass: "GLACIER"), md5: digest([1, 2]),
                checksums: [Checksum(.crc32c, bytes: [1, 2, 3, 4])], owner: "7", modified: noon)
            try await fixture.store.put(object, in: fixture.box, body: fixture.stage([1, 2]))
            let listed = ListedObject(
                key: "key", size: 2, entityTag: EntityTag(md5: digest([1, 2])), modified: noon, storageClass: "GLACIER",
                owner: "7", checksums: object.checksums)
            #expect(try await fixture.store.list(ListQuery(), in: fixture.box).entries == [.object(listed)])
        }
    }

    @Test("contains only one bucket")
    func otherBucket() async throws {
        try await StoreFixture.run { fixture in
            let other = try await fixture.store.createBucket(named: "other", account: "1", region: "", created: noon)
            try await fixture.put("key", [1])
            #expect(try await fixture.store.list(ListQuery(), in: other.id).entries == [])
        }
    }
}

extension ListEntry {
    fileprivate var name: String {
        switch self {
        case .object(let object): object.key
        case .commonPrefix(let prefix): "*" + prefix
        }
    }
}

extension String {
    fileprivate var utf8Array: [UInt8] { Array(utf8) }
}
