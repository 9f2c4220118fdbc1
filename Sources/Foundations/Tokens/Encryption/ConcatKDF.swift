import Cryptography
import WireFormats

/// The Concat key derivation function with SHA-256, as JOSE uses it (RFC 7518 section 4.6.2, NIST SP 800-56A section 5.8.1).
enum ConcatKDF {
    /// Derives a key from a shared secret.
    /// - Parameters:
    ///   - count: the length of the key in bytes.
    ///   - algorithm: the name of the algorithm that the key is for.
    ///   - partyU: information about the sender, which may be empty.
    ///   - partyV: information about the receiver, which may be empty.
    static func key(_ count: Int, from secret: [UInt8], algorithm: String, partyU: [UInt8], partyV: [UInt8]) -> [UInt8] {
        let information = prefixed(Array(algorithm.utf8)) + prefixed(partyU) + prefixed(partyV) + number(count * 8)
        var key: [UInt8] = []
        var round = 1
        while key.count < count {
            key += SHA256.hash(number(round) + secret + information)
            round += 1
        }
        return Array(key.prefix(count))
    }

    private static func prefixed(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
