package import Cryptography
package import ObjectStore
package import WireFormats

/// A checksum over a stream of bytes, with one of the algorithms that the store keeps.
package enum RunningChecksum: Sendable {
    case crc32(CRC32)
    case crc32c(CRC32C)
    case crc64nvme(CRC64NVME)
    case crc64xz(CRC64XZ)
    case sha1(SHA1)
    case sha256(SHA256)
    case md5(MD5)
    // Indirect, so that the large states of rare algorithms do not enlarge every body verifier.
    indirect case sha512(SHA512)
    indirect case xxhash64(XXH64)
    indirect case xxhash3(XXH3)
    indirect case xxhash128(XXH3)

    /// Creates the checksum of zero bytes.
    package init(_ algorithm: Checksum.Algorithm) {
        self =
            switch algorithm {
            case .crc32: .crc32(CRC32())
            case .crc32c: .crc32c(CRC32C())
            case .crc64nvme: .crc64nvme(CRC64NVME())
            case .crc64xz: .crc64xz(CRC64XZ())
            case .sha1: .sha1(SHA1())
            case .sha256: .sha256(SHA256())
            case .md5: .md5(MD5())
            case .sha512: .sha512(SHA512())
            case .xxhash64: .xxhash64(XXH64())
            case .xxhash3: .xxhash3(XXH3())
            case .xxhash128: .xxhash128(XXH3())
            }
    }

    /// The algorithm.
    package var algorithm: Checksum.Algorithm {
        switch self {
        case .crc32: .crc32
        case .crc32c: .crc32c
        case .crc64nvme: .crc64nvme
        case .crc64xz: .crc64xz
        case .sha1: .sha1
        case .sha256: .sha256
        case .md5: .md5
        case .sha512: .sha512
        case .xxhash64: .xxhash64
        case .xxhash3: .xxhash3
        case .xxhash128: .xxhash128
        }
    }

    /// Adds the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .crc32(var check):
            check.update(bytes)
            self = .crc32(check)
        case .crc32c(var check):
            check.update(bytes)
            self = .crc32c(check)
        case .crc64nvme(var check):
            check.update(bytes)
            self = .crc64nvme(check)
        case .crc64xz(var check):
            check.update(bytes)
            self = .crc64xz(check)
        case .sha1(var digest):
            digest.update(bytes)
            self = .sha1(digest)
        case .sha256(var digest):
            digest.update(bytes)
            self = .sha256(digest)
        case .md5(var digest):
            digest.update(bytes)
            self = .md5(digest)
        case .sha512(var digest):
            digest.update(bytes)
            self = .sha512(digest)
        case .xxhash64(var hash):
            hash.update(bytes)
            self = .xxhash64(hash)
        case .xxhash3(var hash):
            hash.update(bytes)
            self = .xxhash3(hash)
        case .xxhash128(var hash):
            hash.update(bytes)
            self = .xxhash128(hash)
        }
    }

    /// Returns the checksum, most significant byte first.
    package func finalize() -> [UInt8] {
        switch self {
        case .crc32(let check): bigEndian(check.value)
        case .crc32c(let check): bigEndian(check.value)
        case .crc64nvme(let check): bigEndian(check.value)
        case .crc64xz(let check): bigEndian(check.value)
        case .sha1(let digest): digest.finalize()
        case .sha256(let digest): digest.finalize()
        case .md5(let digest): digest.finalize()
        case .sha512(let digest): digest.finalize()
        case .xxhash64(let hash): bigEndian(hash.value)
        case .xxhash3(let hash): bigEndian(hash.value)
        case .xxhash128(let hash): bigEndian(hash.wideValue.high) + bigEndian(hash.wideValue.low)
        }
    }
}

/// Returns the bytes of an integer, most significant first.
package func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
}
