import Cryptography
import Testing
import WireFormats

/// A test case of "The Galois/Counter Mode of Operation" (McGrew, Viega), appendix B, in hexadecimal.
struct GCMVector: Sendable {
    var key: String
    var nonce: String
    var context: String
    var plaintext: String
    var ciphertext: String
    var tag: String
}

@Suite("Authenticated encryption")
struct AESGCMTests {
    private static let zeroKey = String(repeating: "00", count: 32)
    private static let zeroNonce = String(repeating: "00", count: 12)

    @Test(
        "Opens the published cases 13, 14 and 16",
        arguments: [
            GCMVector(
                key: zeroKey, nonce: zeroNonce, context: "", plaintext: "", ciphertext: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
            GCMVector(
                key: zeroKey, nonce: zeroNonce, context: "", plaintext: String(repeating: "00", count: 16),
                ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
            GCMVector(
                key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", nonce: "cafebabefacedbaddecaf888",
                context: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
                ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
                tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
        ])
    func opensPublished(_ vector: GCMVector) throws {
        let key = try AESGCM(key: #require([UInt8](hex: vector.key)))
        let sealed = try #require([UInt8](hex: vector.nonce + vector.ciphertext + vector.tag))
        let context = try #require([UInt8](hex: vector.context))
        #expect(try key.open(sealed, context: context).hex == vector.plaintext)
    }

    @Test("Opens what it sealed, of any length", arguments: [0, 1, 15, 16, 17, 400, 100_000])
    func roundTrip(count: Int) throws {
        let key = try AESGCM(key: randomBytes(32))
        let plaintext = try randomBytes(count)
        let sealed = try key.seal(plaintext, context: [1, 2])
        #expect(sealed.count == count + AESGCM.overhead)
        #expect(try key.open(sealed, context: [1, 2]) == plaintext)
        #expect(try key.seal(plaintext, context: [1, 2]) != sealed, "the nonce is fresh each time")
    }

    @Test("Refuses any flipped bit, another context, another key and every shortened text")
    func tampering() throws {
        let key = try AESGCM(key: randomBytes(32))
        let sealed = try key.seal(Array("secret".utf8), context: [7])
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: CryptographyError.authenticationFailed) { try key.open(changed, context: [7]) }
            let shortened = Array(sealed[..<index])
            #expect(throws: CryptographyError.authenticationFailed) { try key.open(shortened, context: [7]) }
        }
        #expect(throws: CryptographyError.authenticationFailed) { try key.open(sealed, context: []) }
        #expect(throws: CryptographyError.authenticationFailed) { try AESGCM(key: randomBytes(32)).open(sealed, context: [7]) }
    }

    @Test("Keys and refused messages do not affect later calls")
    func turns() throws {
        let keys = try (0..<3).map { _ in try AESGCM(key: randomBytes(32)) }
        let sealed = try keys.map { try $0.seal(Array("secret".utf8), context: [1]) }
        for turn in 0..<9 {
            let (own, other) = (turn % 3, (turn + 1) % 3)
            #expect(throws: CryptographyError.authenticationFailed) { try keys[own].open(sealed[other], context: [1]) }
            #expect(try keys[own].open(sealed[own], context: [1]) == Array("secret".utf8))
            #expect(try keys[own].open(try keys[own].seal([UInt8(turn)])) == [UInt8(turn)])
        }
    }

    @Test("Accepts only keys of 32 bytes", arguments: [0, 16, 24, 31, 33])
    func keyLength(count: Int) {
        #expect(throws: CryptographyError.invalidKey) { try AESGCM(key: Array(repeating: 1, count: count)) }
    }
}
