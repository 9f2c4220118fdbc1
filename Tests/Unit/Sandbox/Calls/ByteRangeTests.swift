import Testing

@testable import Calls

@Suite("Ranges of an object")
struct ByteRangeTests {
    // Confirmed against the real service by LocalStack's recorded responses for an object of ten bytes.
    @Test(
        "are resolved within the object's size",
        arguments: [
            ("bytes=0-8", 0..<9), ("bytes=1-1", 1..<2), ("bytes=1-", 1..<10), ("bytes=-2", 8..<10), ("bytes=-15", 0..<10),
            ("bytes=0-100", 0..<10), ("bytes=0-0", 0..<1), ("bytes=0-99999999999999999999", 0..<10),
        ] as [(String, Range<Int64>)])
    func resolves(_ header: String, _ range: Range<Int64>) {
        #expect(ByteRange(header: header)?.resolved(size: 10) == range)
    }

    @Test(
        "are ignored if the header has another form",
        arguments: ["bytes=1-0", "bytes=-1-", "bytes=0--1", "bytes=0-1,3-4", "0-1", "bytes=-", "bytes=a-b", "items=0-1", ""])
    func ignores(_ header: String) { #expect(ByteRange(header: header) == nil) }

    @Test("cannot be satisfied outside the object", arguments: ["bytes=-0", "bytes=10-", "bytes=100-200"])
    func unsatisfiable(_ header: String) throws {
        #expect(try #require(ByteRange(header: header)).resolved(size: 10) == nil)
    }

    @Test("select nothing of an empty object as its suffix")
    func emptySuffix() throws {
        #expect(try #require(ByteRange(header: "bytes=-13")).resolved(size: 0) == 0..<0)
    }

    @Test("cannot be satisfied in an empty object", arguments: ["bytes=0-", "bytes=-0"])
    func empty(_ header: String) throws {
        #expect(try #require(ByteRange(header: header)).resolved(size: 0) == nil)
    }
}
