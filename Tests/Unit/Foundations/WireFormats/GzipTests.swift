import Testing
import WireFormats

@Suite("gzip")
struct GzipTests {
    /// Returns bytes as one member of RFC 1952.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] { bytes.gzipped }

    @Test("is decompressed as a whole and up to a limit")
    func reading() {
        let text = Array("a text, a text, a text".utf8)
        #expect(Self.compressed(text).gunzipped(upTo: text.count) == text)
        #expect(Self.compressed(text).gunzipped(upTo: text.count - 1) == nil)
        #expect(Self.compressed([]).gunzipped(upTo: 0) == [])
        #expect(Self.compressed([UInt8](repeating: 0, count: 10_000_000)).gunzipped(upTo: 1 << 20) == nil)
    }

    @Test("is refused if its checksum is wrong, if data is missing or follows, and in other formats")
    func refusals() {
        let text = Array("a text".utf8)
        let good = Self.compressed(text)
        var wrong = good
        wrong[wrong.count - 8] ^= 1
        #expect(wrong.gunzipped(upTo: 100) == nil)
        #expect(Array(good.dropLast()).gunzipped(upTo: 100) == nil)
        #expect((good + [0]).gunzipped(upTo: 100) == nil)
        #expect(text.deflated.gunzipped(upTo: 100) == nil)
        #expect([UInt8]().gunzipped(upTo: 100) == nil)
    }

    @Test("is decompressed from a stream, however the stream is split", arguments: [1, 1000, 70_000, 300_000])
    func stream(_ count: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let text = (0..<count).map { _ in UInt8.random(in: 0..<16, using: &generator) }
        let stream = GzipStream()
        var compressed: [UInt8] = []
        for start in Swift.stride(from: 0, to: count, by: 65_537) {
            compressed += text[start..<min(count, start + 65_537)].withUnsafeBytes { stream.compress($0) }
        }
        compressed += stream.finish()
        #expect(compressed.gunzipped(upTo: count) == text)
    }

    @Test("is decompressed in pieces", arguments: [1, 7, 1000])
    func pieces(size: Int) {
        let text = Array(String(repeating: "a text, a text, a text", count: 2000).utf8)
        let compressed = Self.compressed(text)
        for limit in [1, 1000, 100_000] {
            let stream = GunzipStream()
            var (output, isValid) = ([UInt8](), true)
            for start in Swift.stride(from: 0, to: compressed.count, by: size) {
                stream.append(Array(compressed[start..<min(compressed.count, start + size)]))
                var before = -1
                while isValid, before != output.count {
                    before = output.count
                    isValid = stream.decompress(into: &output, upTo: output.count + limit)
                    #expect(output.count <= before + limit)
                }
            }
            #expect(isValid)
            #expect(stream.isAtEnd)
            #expect(output == text)
        }
    }

    @Test("is refused in pieces if its checksum is wrong, or if data follows, and is incomplete if data is missing")
    func piecesRefused() {
        let good = Self.compressed(Array("a text".utf8))
        var wrong = good
        wrong[wrong.count - 8] ^= 1
        for (bytes, isValid, isAtEnd) in [
            (wrong, false, false), (good + [0], false, true), (Array(good.dropLast()), true, false), (good, true, true),
        ] {
            let stream = GunzipStream()
            stream.append(Array(bytes))
            var output: [UInt8] = []
            #expect(stream.decompress(into: &output, upTo: 1000) == isValid)
            #expect(stream.isAtEnd == isAtEnd)
        }
    }
}
