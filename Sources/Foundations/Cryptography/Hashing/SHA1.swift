import COpenSSL

/// A running SHA-1 digest of 20 bytes (FIPS 180-4); for object checksums and older signatures.
package struct SHA1: Digest {
    package static let byteCount = 20

    private var state: copenssl_sha1_state

    package init() {
        state = copenssl_sha1_init()
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        copenssl_sha1_update(&state, bytes.baseAddress, bytes.count)
    }

    package func finalize() -> [UInt8] {
        withUnsafePointer(to: state) { state in
            bytes(Self.byteCount) { copenssl_sha1_final(state, $0) }
        }
    }
}
