import CChecksums

/// CRC-64/XZ over a stream of bytes: the checksum of the .xz format, with the polynomial of ECMA-182, as `x-oss-hash-crc64ecma` uses it.
package struct CRC64XZ: Sendable {
    /// The checksum of all bytes so far; 0 for none.
    package private(set) var value: UInt64 = 0

    package init() {}

    /// Adds more bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        value = checksums_crc64xz(value, bytes.baseAddress, bytes.count)
    }
}
