import COpenSSL

/// A running MD5 digest of 16 bytes (RFC 1321); for entity tags and Content-MD5, never for security.
package struct MD5: Digest {
    package static let byteCount = 16

    private var state: copenssl_md5_state

    package init() {
        state = copenssl_md5_init()
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        copenssl_md5_update(&state, bytes.baseAddress, bytes.count)
    }

    package func finalize() -> [UInt8] {
        withUnsafePointer(to: state) { state in
            bytes(Self.byteCount) { copenssl_md5_final(state, $0) }
        }
    }
}
