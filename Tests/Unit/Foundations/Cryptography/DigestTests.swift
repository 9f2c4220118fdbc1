import Cryptography
import Testing
import WireFormats

/// A message and its digest in hexadecimal.
struct DigestVector: Sendable, CustomTestStringConvertible {
    var message: String
    var digest: String

    init(_ message: String, _ digest: String) {
        self.message = message
        self.digest = digest
    }

    var testDescription: String { "\(message.utf8.count) bytes" }

    static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    static let millionLetters = String(repeating: "a", count: 1_000_000)
}

@Suite("Digests")
struct DigestTests {
    @Test(
        "MD5 gives the digests of RFC 1321",
        arguments: [
            DigestVector("", "d41d8cd98f00b204e9800998ecf8427e"),
            DigestVector("abc", "900150983cd24fb0d6963f7d28e17f72"),
            DigestVector("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            DigestVector(
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"),
        ])
    func md5(_ vector: DigestVector) {
        #expect(MD5.hash(vector.message).hex == vector.digest)
    }

    @Test(
        "SHA-1 gives the digests of FIPS 180",
        arguments: [
            DigestVector("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            DigestVector("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            DigestVector(DigestVector.twoBlocks, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
            DigestVector(DigestVector.millionLetters, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        ])
    func sha1(_ vector: DigestVector) {
        #expect(SHA1.hash(vector.message).hex == vector.digest)
    }

    @Test(
        "SHA-256 gives the digests of FIPS 180",
        arguments: [
            DigestVector("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            DigestVector("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            DigestVector(DigestVector.twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
            DigestVector(DigestVector.millionLetters, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func sha256(_ vector: DigestVector) {
        #expect(SHA256.hash(vector.message).hex == vector.digest)
    }

    @Test(
        "SHA-384 gives the digests of FIPS 180",
        arguments: [
            DigestVector(
                "", "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"),
            DigestVector(
                "abc", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"),
            DigestVector(
                DigestVector.millionLetters,
                "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985"),
        ])
    func sha384(_ vector: DigestVector) {
        #expect(SHA384.hash(vector.message).hex == vector.digest)
    }

    @Test(
        "SHA-512 gives the digests of FIPS 180",
        arguments: [
            DigestVector(
                "",
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                    + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"),
            DigestVector(
                "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
            DigestVector(
                DigestVector.millionLetters,
                "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                    + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"),
        ])
    func sha512(_ vector: DigestVector) {
        #expect(SHA512.hash(vector.message).hex == vector.digest)
    }

    @Test("A message in pieces has the digest of the whole, wherever it is split", arguments: [1, 7, 63, 64, 65, 127, 128, 1000])
    func pieces(size: Int) {
        let message = (0..<1500).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        expectSameInPieces(MD5.self, message, size: size)
        expectSameInPieces(SHA1.self, message, size: size)
        expectSameInPieces(SHA256.self, message, size: size)
        expectSameInPieces(SHA384.self, message, size: size)
        expectSameInPieces(SHA512.self, message, size: size)
    }

    private func expectSameInPieces<D: Digest>(_ type: D.Type, _ message: [UInt8], size: Int) {
        var digest = D()
        for start in stride(from: 0, to: message.count, by: size) {
            digest.update(Array(message[start..<min(start + size, message.count)]))
        }
        #expect(digest.finalize() == D.hash(message))
        #expect(D.hash(message).count == D.byteCount)
    }

    @Test("A finalized digest can be continued, independently of its copy")
    func copies() {
        var digest = SHA256()
        digest.update("ab")
        let early = digest.finalize()
        var copy = digest
        copy.update("x")
        digest.update("c")
        #expect(early == SHA256.hash("ab"))
        #expect(digest.finalize() == SHA256.hash("abc"))
        #expect(copy.finalize() == SHA256.hash("abx"))
    }
}
