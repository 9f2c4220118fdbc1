import Testing
import WireFormats

@Suite("A text among bytes")
struct ByteSearchTests {
    @Test(
        "is found at any place, after its beginning was there before",
        arguments: ["realm", "realm and more", "more and realm", "rearealm", "rrrrealm", "\0realm\0"])
    func found(_ text: String) {
        #expect(Array(text.utf8).contains(bytesOf: "realm"))
    }

    @Test("is not found if a byte differs or is missing", arguments: ["", "r", "real", "rea lm", "REALM", "realrealn"])
    func missing(_ text: String) {
        #expect(!Array(text.utf8).contains(bytesOf: "realm"))
    }

    @Test("is found everywhere if it is empty")
    func empty() {
        #expect([UInt8]().contains(bytesOf: ""))
        #expect(Array("a".utf8).contains(bytesOf: ""))
    }
}
