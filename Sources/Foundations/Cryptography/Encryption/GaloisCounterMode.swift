import COpenSSL

/// AES in Galois/counter mode (NIST SP 800-38D) with a given nonce, which must not be used twice with a key. ``AESGCM`` makes its own nonces.
package enum GaloisCounterMode {
    /// The length of a nonce.
    package static let nonceByteCount = 12
    /// The length of a tag.
    package static let tagByteCount = 16

    /// Encrypts a message.
    /// - Parameters:
    ///   - key: 16, 24 or 32 bytes.
    ///   - nonce: 12 bytes.
    ///   - context: bytes that are authenticated but not encrypted.
    /// - Returns: the ciphertext, as long as the message, and then the tag of 16 bytes.
    /// - Throws: ``CryptographyError/invalidKey`` for other lengths, ``CryptographyError/operationFailed``.
    package static func seal(
        _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], context: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard [16, 24, 32].contains(key.count), nonce.count == nonceByteCount else { throw .invalidKey }
        let count = plaintext.count
        let sealed = bytes(upTo: count + tagByteCount) {
            copenssl_aesgcm_seal(key, key.count, nonce, context, context.count, plaintext, count, $0, $0 + count) == 1
                ? count + tagByteCount : 0
        }
        guard !sealed.isEmpty else { throw .operationFailed }
        return sealed
    }

    /// Decrypts a message.
    /// - Throws: ``CryptographyError/authenticationFailed`` for a changed message, another key or context, and wrong lengths.
    package static func open(
        _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], nonce: [UInt8], context: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard [16, 24, 32].contains(key.count), nonce.count == nonceByteCount, tag.count == tagByteCount else {
            throw .authenticationFailed
        }
        var isAuthentic = false
        // The capacity is one byte too large, because the buffer of an empty array may have no address to write to.
        let plaintext = bytes(upTo: ciphertext.count + 1) {
            isAuthentic =
                copenssl_aesgcm_open(key, key.count, nonce, context, context.count, ciphertext, ciphertext.count, tag, $0) == 1
            return isAuthentic ? ciphertext.count : 0
        }
        guard isAuthentic else { throw .authenticationFailed }
        return plaintext
    }
}
