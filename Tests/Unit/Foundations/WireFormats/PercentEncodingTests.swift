import Testing
import WireFormats

@Suite("Percent encoding")
struct PercentEncodingTests {
    @Test("only the unreserved characters are not encoded")
    func encodes() {
        let unreserved = "ABCXYZabcxyz0189-._~"
        #expect(percentEncoded(unreserved) == unreserved)
        #expect(percentEncoded("a b+c/d%é*") == "a%20b%2Bc%2Fd%25%C3%A9%2A")
        #expect(percentEncoded("a/b c", keepingSlash: true) == "a/b%20c")
    }

    @Test("decoding accepts digits of either case and leaves a plus unchanged")
    func decodes() {
        #expect(percentDecoded("a%20b+c%2f%C3%a9") == "a b+c/é")
    }

    @Test("broken escapes are refused", arguments: ["%", "%2", "%2G", "a%%20", "%é"])
    func refuses(text: String) {
        #expect(percentDecoded(text) == nil)
        var bytes: [UInt8] = [0x61]
        let isAccepted = bytes.append(normalisingPath: text)
        #expect(!isAccepted)
        #expect(bytes == [0x61])
    }

    @Test("escapes that are not UTF-8 are refused")
    func refusesOtherEncodings() {
        #expect(percentDecoded("%FF") == nil)
    }

    @Test("every text survives encoding and decoding", arguments: ["", "plain", "ключ/😀 %41+", "\u{0}\u{1F}\u{7F}"])
    func roundTrips(text: String) {
        #expect(percentDecoded(percentEncoded(text)) == text)
        #expect(percentDecoded(percentEncoded(text, keepingSlash: true)) == text)
    }

    @Test("normalizing gives every spelling of a path one form and keeps encoded slashes apart from literal ones")
    func normalisesPaths() {
        func normalised(_ path: String) -> String? {
            var bytes: [UInt8] = []
            return bytes.append(normalisingPath: path) ? String(decoding: bytes, as: UTF8.self) : nil
        }
        #expect(normalised("/a%7eb%2fc/!d") == "/a~b%2Fc/%21d")
        #expect(normalised("//a/../b+") == "//a/../b%2B")
    }

    @Test("a plus in a query is a space")
    func normalisesQueries() {
        var bytes: [UInt8] = []
        let isAccepted = bytes.append(normalisingQuery: "a+b/%2B")
        #expect(isAccepted)
        #expect(String(decoding: bytes, as: UTF8.self) == "a%20b%2F%2B")
    }
}
