import HTTPTypes
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

    @Test("are refused with other characters", arguments: ["", "ho st", "nämlich", "host:"])
    func refused(text: String) {
        #expect(FieldNames.name(text) == nil)
    }
}
