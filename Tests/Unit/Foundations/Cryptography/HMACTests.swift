import Cryptography
import Testing
import WireFormats

/// A key, a message and its authentication code in hexadecimal.
struct CodeVector: Sendable {
    var key: [UInt8]
    var message: [UInt8]
    var code: String

    init(_ key: [UInt8], _ message: [UInt8], _ code: String) {
        self.key = key
        self.message = message
        self.code = code
    }
}

@Suite("Message authentication codes")
struct HMACTests {
    @Test(
        "HMAC-SHA-256 gives the codes of RFC 4231",
        arguments: [
            CodeVector(
                Array(repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            CodeVector(
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
            CodeVector(
                Array(repeating: 0xaa, count: 20), Array(repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
            CodeVector(
                Array(1...25), Array(repeating: 0xcd, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
            CodeVector(
                Array(repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
            CodeVector(
                Array(repeating: 0xaa, count: 131),
                Array(
                    "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."
                        .utf8),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
        ])
    func sha256(_ vector: CodeVector) {
        #expect(hmacSHA256(key: vector.key, vector.message).hex == vector.code)
        #expect(HMACKey(vector.key).authenticate(vector.message).hex == vector.code)
    }

    @Test(
        "HMAC-SHA-1 gives the codes of RFC 2202",
        arguments: [
            CodeVector(
                Array(repeating: 0x0b, count: 20), Array("Hi There".utf8), "b617318655057264e28bc0b6fb378c8ef146be00"),
            CodeVector(
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            CodeVector(
                Array(repeating: 0xaa, count: 80), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
        ])
    func sha1(_ vector: CodeVector) {
        #expect(hmacSHA1(key: vector.key, vector.message).hex == vector.code)
    }

    @Test("An empty key and an empty message are allowed")
    func empty() {
        #expect(hmacSHA256(key: [], "").hex == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        #expect(hmacSHA1(key: [], "").hex == "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d")
    }

    @Test("One prepared key can authenticate many messages")
    func preparedKey() {
        let key = HMACKey(Array("key".utf8))
        for message in ["", "a", "b", String(repeating: "long ", count: 100)] {
            #expect(key.authenticate(message) == hmacSHA256(key: Array("key".utf8), message))
        }
    }

    @Test("Constant-time comparison agrees with equality", arguments: ["", "a", "abc", "abd", "abcd", "ab"])
    func comparison(text: String) {
        for other in ["", "a", "abc", "abd", "abcd", "ab"] {
            #expect(constantTimeEquals(text, other) == (text == other))
            #expect(constantTimeEquals(Array(text.utf8), Array(other.utf8)) == (text == other))
        }
    }

    @Test("Random bytes have the requested length and do not repeat")
    func random() throws {
        #expect(try randomBytes(0).isEmpty)
        #expect(try randomBytes(1).count == 1)
        #expect(try randomBytes(32) != randomBytes(32))
        // The nonces need more bytes than a thread draws at once.
        let nonces = try (0..<500).map { _ in try randomBytes(12) }
        #expect(Set(nonces).count == nonces.count)
        #expect(try randomBytes(33).count == 33)
    }
}
