import CChecksums

/// The hash XXH3 without seed over a stream of bytes, in the two lengths that `x-amz-checksum-xxhash3` and
/// `x-amz-checksum-xxhash128` use. ("xxHash fast digest algorithm", version 0.2.0.)
package struct XXH3: Sendable {
    private var state = checksums_xxh3_init()

    package init() {}

    /// The 64-bit hash of all bytes so far.
    package var value: UInt64 { withUnsafePointer(to: state) { checksums_xxh3_value($0) } }

    /// The 128-bit hash of all bytes so far.
    package var wideValue: (high: UInt64, low: UInt64) {
        let value = withUnsafePointer(to: state) { checksums_xxh3_wide_value($0) }
        return (value.high, value.low)
    }

    /// Adds more bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        checksums_xxh3_update(&state, bytes.baseAddress, bytes.count)
    }
}
