import COpenSSL

/// AES Key Wrap (RFC 3394), which encrypts a key with another key.
package enum KeyWrap {
    /// The number of bytes by which a wrapped key is longer.
    package static let overhead = 8

    /// Encrypts a key.
    /// - Parameters:
    ///   - content: the key to encrypt: at least 16 bytes, a multiple of 8.
    ///   - key: 16, 24 or 32 bytes.
    /// - Throws: ``CryptographyError/invalidKey`` for other lengths.
    package static func wrap(_ content: [UInt8], with key: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let count = content.count + overhead
        let wrapped = bytes(upTo: count) {
            copenssl_aeskw_wrap(key, key.count, content, content.count, $0) == 1 ? count : 0
        }
        guard !wrapped.isEmpty else { throw .invalidKey }
        return wrapped
    }

    /// Decrypts the result of ``wrap(_:with:)``.
    /// - Throws: ``CryptographyError/authenticationFailed`` for anything else, and for another key.
    package static func unwrap(_ wrapped: [UInt8], with key: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard wrapped.count > overhead else { throw .authenticationFailed }
        // OpenSSL writes whole blocks, and so as many bytes as it reads.
        let content = bytes(upTo: wrapped.count) {
            copenssl_aeskw_unwrap(key, key.count, wrapped, wrapped.count, $0) == 1 ? wrapped.count - overhead : 0
        }
        guard !content.isEmpty else { throw .authenticationFailed }
        return content
    }
}
