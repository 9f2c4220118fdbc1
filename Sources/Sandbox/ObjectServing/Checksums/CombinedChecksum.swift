package import ObjectStore
import WireFormats

/// Combines the cyclic redundancy checks of two byte strings to that of their concatenation.
///
/// A check is the remainder of its message as a polynomial over GF(2); appending `n` bytes multiplies by x to the power of 8n. The bits are
/// reflected: the highest is the coefficient of x to the power of 0. (Adler's `crc32_combine` in zlib.)
private struct Polynomial<Word: FixedWidthInteger & UnsignedInteger> {
    var reflected: Word

    func combine(_ first: Word, _ second: Word, secondLength: Int64) -> Word {
        product(power(ofBytes: secondLength), first) ^ second
    }

    private func product(_ a: Word, _ b: Word) -> Word {
        var sum: Word = 0
        var factor = b
        var bit = Word(1) << (Word.bitWidth - 1)
        while bit != 0 {
            if a & bit != 0 { sum ^= factor }
            factor = factor & 1 == 0 ? factor >> 1 : (factor >> 1) ^ reflected
            bit >>= 1
        }
        return sum
    }

    /// Returns x to the power of eight times `count`.
    private func power(ofBytes count: Int64) -> Word {
        var result = Word(1) << (Word.bitWidth - 1)
        var square = result >> 8
        var rest = count
        while rest > 0 {
            if rest & 1 == 1 { result = product(square, result) }
            square = product(square, square)
            rest >>= 1
        }
        return result
    }
}

/// Returns the checksum of an object from those of its parts, in order.
/// (S3 User Guide, "Checking object integrity", full object and composite checksums.)
/// - Returns: `nil` if a part has another algorithm, or the algorithm cannot be combined in this way.
package func combinedChecksum(
    _ algorithm: Checksum.Algorithm, _ coverage: Checksum.Coverage, of parts: [(size: Int64, checksum: Checksum)]
) -> Checksum? {
    guard parts.allSatisfy({ $0.checksum.algorithm == algorithm }) else { return nil }
    switch coverage {
    case .composite:
        var running = RunningChecksum(algorithm)
        for part in parts { part.checksum.bytes.withUnsafeBytes { running.update($0) } }
        return Checksum(algorithm, coverage: .composite, bytes: running.finalize())
    case .fullObject:
        let bytes: [UInt8]? =
            switch algorithm {
            case .crc32: combine(parts, Polynomial(reflected: 0xEDB8_8320 as UInt32))
            case .crc32c: combine(parts, Polynomial(reflected: 0x82F6_3B78 as UInt32))
            case .crc64nvme: combine(parts, Polynomial(reflected: 0x9A6C_9329_AC4B_C9B5 as UInt64))
            case .crc64xz: combine(parts, Polynomial(reflected: 0xC96C_5795_D787_0F42 as UInt64))
            case .sha1, .sha256, .sha512, .md5, .xxhash64, .xxhash3, .xxhash128: nil
            }
        return bytes.map { Checksum(algorithm, bytes: $0) }
    }
}

private func combine<Word>(_ parts: [(size: Int64, checksum: Checksum)], _ polynomial: Polynomial<Word>) -> [UInt8] {
    bigEndian(
        parts.reduce(Word.zero) { sum, part in
            let next = part.checksum.bytes.reduce(Word.zero) { $0 << 8 | Word($1) }
            return polynomial.combine(sum, next, secondLength: part.size)
        })
}
