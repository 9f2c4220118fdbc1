import COpenSSL

/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D) under one key.
///
/// Sealed bytes consist of a random nonce of 12 bytes, the ciphertext (as long as the plaintext) and a tag of 16 bytes. Random nonces limit
/// one key to 2^32 messages (section 8.3).
package struct AESGCM: Sendable {
    /// The number of bytes by which sealed bytes are longer than the plaintext.
    package static let overhead = nonceByteCount + tagByteCount

    private static let nonceByteCount = 12
    private static let tagByteCount = 16

    private let key: [UInt8]

    /// Creates a cipher from a key of 32 bytes.
    /// - Throws: ``CryptographyError/invalidKey`` for another length.
    package init(key: [UInt8]) throws(CryptographyError) {
        guard key.count == 32 else { throw .invalidKey }
        self.key = key
    }

    /// Encrypts a message under a fresh nonce.
    /// - Parameter context: bytes that are authenticated but not stored in the result; ``open(_:context:)`` needs the same bytes.
    /// - Throws: ``CryptographyError/noEntropy`` or ``CryptographyError/operationFailed``.
    package func seal(_ plaintext: [UInt8], context: [UInt8] = []) throws(CryptographyError) -> [UInt8] {
        let count = plaintext.count
        var failure: CryptographyError?
        let sealed = bytes(upTo: count + Self.overhead) { nonce in
            guard copenssl_random(nonce, Self.nonceByteCount) == 1 else {
                failure = .noEntropy
                return 0
            }
            let ciphertext = nonce + Self.nonceByteCount
            let tag = ciphertext + count
            guard copenssl_aes256gcm_seal(key, nonce, context, context.count, plaintext, count, ciphertext, tag) == 1 else {
                failure = .operationFailed
                return 0
            }
            return count + Self.overhead
        }
        if let failure { throw failure }
        return sealed
    }

    /// Decrypts the result of ``seal(_:context:)``.
    /// - Throws: ``CryptographyError/authenticationFailed`` for bytes that were cut, changed, or sealed under another key or context.
    package func open(_ sealed: [UInt8], context: [UInt8] = []) throws(CryptographyError) -> [UInt8] {
        let count = sealed.count - Self.overhead
        guard count >= 0 else { throw .authenticationFailed }
        var isAuthentic = false
        let plaintext = sealed.withUnsafeBufferPointer { sealed in
            // The capacity is one byte too large, because the buffer of an empty array may have no address to write to.
            bytes(upTo: count + 1) { plaintext in
                guard let nonce = sealed.baseAddress else { return 0 }
                let ciphertext = nonce + Self.nonceByteCount
                let tag = ciphertext + count
                isAuthentic =
                    copenssl_aes256gcm_open(key, nonce, context, context.count, ciphertext, count, tag, plaintext) == 1
                return isAuthentic ? count : 0
            }
        }
        guard isAuthentic else { throw .authenticationFailed }
        return plaintext
    }
}
