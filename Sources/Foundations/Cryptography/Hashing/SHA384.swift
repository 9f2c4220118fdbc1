import COpenSSL

/// A running SHA-384 digest of 48 bytes (FIPS 180-4).
package struct SHA384: Digest {
    package static let byteCount = 48

    private var state: copenssl_sha512_state

    package init() {
        state = copenssl_sha384_init()
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        copenssl_sha384_update(&state, bytes.baseAddress, bytes.count)
    }

    package func finalize() -> [UInt8] {
        withUnsafePointer(to: state) { state in
            bytes(Self.byteCount) { copenssl_sha384_final(state, $0) }
        }
    }
}
