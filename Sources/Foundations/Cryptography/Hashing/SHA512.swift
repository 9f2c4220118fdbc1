import COpenSSL

/// A running SHA-512 digest of 64 bytes (FIPS 180-4).
package struct SHA512: Digest {
    package static let byteCount = 64

    private var state: copenssl_sha512_state

    package init() {
        state = copenssl_sha512_init()
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        copenssl_sha512_update(&state, bytes.baseAddress, bytes.count)
    }

    package func finalize() -> [UInt8] {
        withUnsafePointer(to: state) { state in
            bytes(Self.byteCount) { copenssl_sha512_final(state, $0) }
        }
    }
}
