import HTTPTypes
import NIOHTTP1
import Testing

@testable import VirgaServer

@Suite("Header names")
struct FieldNamesTests {
    @Test("each have a table entry of their own")
    func places() {
        let places = FieldNames.names.map { name in Array(name.text.utf8).withUnsafeBufferPointer(FieldNames.place(of:)) }
        #expect(Set(places).count == FieldNames.names.count)
    }

    @Test(
        "are found in either case, and unknown ones are accepted",
        arguments: [
            ("Host", "host", FieldNames.Role.host), ("HOST", "host", .host), ("content-length", "content-length", .contentLength),
            ("Content-Length", "content-length", .contentLength), ("Expect", "expect", .expect), ("Upgrade", "upgrade", .upgrade),
            ("Cookie", "cookie", .cookie), ("X-Amz-Content-SHA256", "x-amz-content-sha256", .other),
            ("X-Amz-Meta-Colour", "x-amz-meta-colour", .other), ("hosT_", "host_", .other), ("x", "x", .other),
        ])
    func lookUp(text: String, canonical: String, role: FieldNames.Role) throws {
        let found = try #require(FieldNames.name(text))
        #expect(found.name.canonicalName == canonical)
        #expect(found.role == role)
    }

    @Test("and values are those of each request, whatever the one before had")
    func repeated() throws {
        func fields(_ headers: HTTPHeaders, after previous: HTTPFields) throws -> HTTPFields {
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers)
            return try #require(RequestHead(head, after: previous)).fields
        }
        let long = String(repeating: "v", count: 40)
        let first = try fields(["Host": "a", "User-Agent": long, "X-Other": long + "é", "X-Twice": long + "1"], after: [:])
        let second = try fields(
            ["Host": "a", "X-Twice": long + "2", "x-other": long + "e\u{301}", "x-twice": long + "1", "User-Agent": long], after: first)
        #expect(second.map(\.name.rawName) == ["X-Twice", "x-other", "x-twice", "user-agent"])
        #expect(second.map { Array($0.value.utf8) } == ["2", "e\u{301}", "1", ""].map { Array((long + $0).utf8) })
    }

    @Test("are refused with other characters", arguments: ["", "ho st", "nämlich", "host:"])
    func refused(text: String) {
        #expect(FieldNames.name(text) == nil)
    }
}
