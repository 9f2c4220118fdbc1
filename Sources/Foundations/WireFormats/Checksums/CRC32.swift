import CChecksums

/// The CRC-32 of ISO 3309, as zlib and `x-amz-checksum-crc32` use it, over a stream of bytes.
package struct CRC32: Sendable {
    /// The checksum of all bytes so far; 0 for none.
    package private(set) var value: UInt32 = 0

    package init() {}

    /// Adds more bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        value = checksums_crc32(value, bytes.baseAddress, bytes.count)
    }
}
