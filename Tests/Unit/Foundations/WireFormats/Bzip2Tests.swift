import Testing
import WireFormats

@Suite("bzip2")
struct Bzip2Tests {
    /// As Python's `bz2.compress` produces them.
    private static let hello =
        "425a6839314159265359e5b5f3090000045100001040000244a00021b5180c029069c2a30bb9229c284872daf98480"
    private static let run = "425a683931415926535949dc4f630000018101a00000800008200020aa6d4198ba83c5dc914e1424127713d8c0"

    @Test(
        "is decompressed",
        arguments: [
            ("425a683917724538509000000000", ""), (hello, "hello hello hello\n"), (run, String(repeating: "a", count: 1000)),
            (hello + hello, "hello hello hello\nhello hello hello\n"),
        ])
    func reads(hex: String, text: String) throws {
        #expect(try #require([UInt8](hex: hex)).bunzipped(upTo: 1000) == Array(text.utf8))
    }

    @Test("is refused if it is truncated, damaged, followed by other data, or too long")
    func refuses() throws {
        let whole = try #require([UInt8](hex: Self.hello))
        for count in 0..<whole.count { #expect(Array(whole.prefix(count)).bunzipped(upTo: 1000) == nil) }
        // The last byte also has padding.
        for index in whole.indices.dropLast() {
            var damaged = whole
            damaged[index] ^= 0x10
            // A bit without effect, in the level or in an unused code, changes nothing.
            #expect(damaged.bunzipped(upTo: 1000).map { $0 == Array("hello hello hello\n".utf8) } != false, "byte \(index)")
        }
        #expect((whole + [0]).bunzipped(upTo: 1000) == nil)
        #expect(whole.bunzipped(upTo: 17) == nil)
        #expect(try #require([UInt8](hex: Self.run)).bunzipped(upTo: 999) == nil)
    }

    @Test("is decompressed in pieces", arguments: [1, 5, 100], [1, 3, 999, 1000])
    func pieces(size: Int, limit: Int) throws {
        let compressed = try #require([UInt8](hex: Self.run + Self.hello))
        var stream = BunzipStream()
        var (output, isValid) = ([UInt8](), true)
        for start in Swift.stride(from: 0, to: compressed.count, by: size) {
            let end = min(compressed.count, start + size)
            stream.append(Array(compressed[start..<end]), isLast: end == compressed.count)
            var before = -1
            while isValid, before != output.count {
                before = output.count
                isValid = stream.decompress(into: &output, upTo: output.count + limit)
                #expect(output.count <= before + limit)
            }
        }
        #expect(isValid)
        #expect(stream.isAtEnd)
        #expect(output == Array((String(repeating: "a", count: 1000) + "hello hello hello\n").utf8))
    }
}
