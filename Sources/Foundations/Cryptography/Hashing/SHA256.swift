import COpenSSL

/// A running SHA-256 digest of 32 bytes (FIPS 180-4).
package struct SHA256: Digest {
    package static let byteCount = 32

    private var state: copenssl_sha256_state

    package init() {
        state = copenssl_sha256_init()
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        copenssl_sha256_update(&state, bytes.baseAddress, bytes.count)
    }

    package func finalize() -> [UInt8] {
        withUnsafePointer(to: state) { state in
            bytes(Self.byteCount) { copenssl_sha256_final(state, $0) }
        }
    }
}
