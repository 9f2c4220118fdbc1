import CChecksums

/// The 64-bit hash XXH64 without seed, as `x-amz-checksum-xxhash64` uses it, over a stream of bytes.
/// ("xxHash fast digest algorithm", version 0.2.0.)
package struct XXH64: Sendable {
    private var state = checksums_xxh64_init()

    package init() {}

    /// The hash of all bytes so far.
    package var value: UInt64 { withUnsafePointer(to: state) { checksums_xxh64_value($0) } }

    /// Adds more bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        checksums_xxh64_update(&state, bytes.baseAddress, bytes.count)
    }
}
