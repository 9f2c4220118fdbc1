import CChecksums

/// The CRC-64 of the NVM Express specification, as `x-amz-checksum-crc64nvme` uses it, over a stream of bytes.
package struct CRC64NVME: Sendable {
    /// The checksum of all bytes so far; 0 for none.
    package private(set) var value: UInt64 = 0

    package init() {}

    /// Adds more bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        value = checksums_crc64nvme(value, bytes.baseAddress, bytes.count)
    }
}
