import Testing
import WireFormats

@Suite("CBOR")
struct CBORTests {
    private func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

    /// RFC 8949, appendix A.
    private static let published: [(hex: String, value: JSONValue)] = [
        ("00", 0), ("17", 23), ("1818", 24), ("1903e8", 1000), ("1b000000e8d4a51000", 1_000_000_000_000),
        ("1bffffffffffffffff", .number(18_446_744_073_709_551_616)), ("20", -1), ("3903e7", -1000), ("f90000", 0.0), ("f93c00", 1.0),
        ("f93e00", 1.5), ("f97bff", 65504.0), ("fa47c35000", 100000.0), ("fb3ff199999999999a", 1.1),
        ("f90001", .number(5.960464477539063e-8)),
        ("f9c400", -4.0), ("f4", false), ("f5", true), ("f6", nil), ("f7", nil), ("c11a514b67b0", 1_363_896_240),
        ("4401020304", "AQIDBA=="),
        ("60", ""), ("6449455446", "IETF"), ("62c3bc", "ü"), ("80", []), ("83010203", [1, 2, 3]),
        ("8301820203820405", [1, [2, 3], [4, 5]]),
        ("a26161016162820203", ["a": 1, "b": [2, 3]]), ("5f42010243030405ff", "AQIDBAU="), ("7f657374726561646d696e67ff", "streaming"),
        ("9f018202039f0405ffff", [1, [2, 3], [4, 5]]), ("bf61610161629f0203ffff", ["a": 1, "b": [2, 3]]),
    ]

    @Test("the examples of the specification", arguments: published)
    func examples(_ hex: String, _ value: JSONValue) throws {
        #expect(try JSONValue(cbor: bytes(hex)) == value)
    }

    @Test(
        "what is not one item of a document is refused",
        arguments: [
            ("", .unexpectedEnd), ("18", .unexpectedEnd), ("62c3", .unexpectedEnd), ("9f01", .unexpectedEnd),
            ("bb00000000ffffffff", .unexpectedEnd),
            ("1c", .unexpectedByte), ("a10102", .unexpectedByte), ("ff", .unexpectedByte), ("5f6161ff", .unexpectedByte),
            ("61ff", .invalidUTF8), ("a2616101616102", .duplicateName), ("0000", .trailingBytes),
        ] as [(String, CBORSyntaxError)])
    func refused(_ hex: String, _ error: CBORSyntaxError) throws {
        let item = try bytes(hex)
        #expect(throws: error) { try JSONValue(cbor: item) }
    }

    @Test("deep nesting is refused")
    func deep() {
        #expect(throws: CBORSyntaxError.tooDeep) { try JSONValue(cbor: [UInt8](repeating: 0x81, count: 100_000)) }
    }
}
