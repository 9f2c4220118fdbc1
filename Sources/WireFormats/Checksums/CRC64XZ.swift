import CChecksums

/// CRC-64/XZ, the check of the .xz file format with the polynomial of ECMA-182, as `x-oss-hash-crc64ecma` carries it.
package struct CRC64XZ: Sendable {
    /// The check over everything seen so far; 0 for nothing.
    package private(set) var value: UInt64 = 0

    package init() {}

    /// Continues over more bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        value = checksums_crc64xz(value, bytes.baseAddress, bytes.count)
    }
}
