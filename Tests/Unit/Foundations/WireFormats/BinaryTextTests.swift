import Testing
import WireFormats

@Suite("Hexadecimal and base64 text")
struct BinaryTextTests {
    @Test("hexadecimal digits are written in lowercase and read in either case")
    func hex() {
        #expect([UInt8]([0x00, 0x9A, 0xFF]).hex == "009aff")
        #expect([UInt8](hex: "009AfF") == [0x00, 0x9A, 0xFF])
        #expect([UInt8]().hex == "")
        #expect([UInt8](hex: "") == [])
    }

    @Test("odd counts and other characters are not hexadecimal", arguments: ["0", "012", "0g", "0x01", " 01", "0١"])
    func refusesHex(text: String) {
        #expect([UInt8](hex: text) == nil)
    }

    /// RFC 4648 section 10.
    static let published = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test("the vectors of RFC 4648 are encoded and decoded", arguments: published)
    func base64(plain: String, encoded: String) {
        #expect(Array(plain.utf8).base64 == encoded)
        #expect([UInt8](base64: encoded) == Array(plain.utf8))
        let unpadded = encoded.prefix { $0 != "=" }
        #expect(Array(plain.utf8).base64url == unpadded)
        #expect([UInt8](base64url: unpadded) == Array(plain.utf8))
    }

    @Test("the alphabets differ in their last two characters")
    func alphabets() {
        let bytes: [UInt8] = [0xFB, 0xFF, 0xBF]
        #expect(bytes.base64 == "+/+/")
        #expect(bytes.base64url == "-_-_")
        #expect([UInt8](base64: "-_-_") == nil)
        #expect([UInt8](base64url: "+/+/") == nil)
    }

    @Test("every byte string survives both alphabets and hexadecimal")
    func roundTrips() {
        var generator = SystemRandomNumberGenerator()
        for length in 0..<100 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect([UInt8](base64: bytes.base64) == bytes)
            #expect([UInt8](base64url: bytes.base64url) == bytes)
            #expect([UInt8](hex: bytes.hex) == bytes)
        }
    }

    @Test(
        "base64 has one spelling for one byte string",
        arguments: ["Zg", "Zg=", "Zh==", "Zm9=", "Z", "====", "Zg==Zg==", "Zm 9v", "Zm9v\n", "Zg=\u{3D}="])
    func refusesBase64(text: String) {
        #expect([UInt8](base64: text) == nil)
    }

    @Test("base64url has no padding and no stray bits", arguments: ["Zg==", "Zh", "Z", "Zm9", "Zm9v ", "AAAAA"])
    func refusesBase64URL(text: String) {
        #expect([UInt8](base64url: text) == nil)
    }
}
