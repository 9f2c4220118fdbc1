import CChecksums

/// The CRC-32C (Castagnoli) of RFC 3720 appendix B.4, as `x-amz-checksum-crc32c` uses it, over a stream of bytes.
package struct CRC32C: Sendable {
    /// The checksum of all bytes so far; 0 for none.
    package private(set) var value: UInt32 = 0

    package init() {}

    /// Adds more bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        value = checksums_crc32c(value, bytes.baseAddress, bytes.count)
    }
}
