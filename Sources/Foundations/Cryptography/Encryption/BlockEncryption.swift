import COpenSSL

/// AES encryption under a key for one message, as XML Encryption (1.1, section 5.2) and the token vending machines use it.
package struct BlockEncryption: Sendable {
    /// The mode of operation.
    package enum Mode: Hashable, Sendable {
        /// Cipher block chaining (section 5.2.2): an initialization vector of 16 bytes before the blocks. Changes are not detected.
        case cbc
        /// Galois/counter mode (section 5.2.4): a nonce of 12 bytes before the ciphertext and a tag of 16 bytes after it.
        case gcm
    }

    private static let block = 16
    private static let nonce = 12
    private static let tag = 16

    private let mode: Mode
    private let key: [UInt8]

    /// Creates a cipher from a key of 16, 24 or 32 bytes.
    /// - Throws: ``CryptographyError/invalidKey`` for another length.
    package init(_ mode: Mode, key: [UInt8]) throws(CryptographyError) {
        guard [16, 24, 32].contains(key.count) else { throw .invalidKey }
        self.mode = mode
        self.key = key
    }

    /// Encrypts a message under a fresh initialization vector or nonce.
    /// - Throws: ``CryptographyError/noEntropy`` or ``CryptographyError/operationFailed``.
    package func encrypt(_ plaintext: [UInt8]) throws(CryptographyError) -> [UInt8] {
        switch mode {
        case .cbc:
            return try Self.chained(plaintext, key: key, vector: randomBytes(Self.block))
        case .gcm:
            let nonce = try randomBytes(Self.nonce)
            let count = plaintext.count
            let sealed = bytes(upTo: count + Self.tag) {
                copenssl_aesgcm_seal(key, key.count, nonce, nil, 0, plaintext, count, $0, $0 + count) == 1 ? count + Self.tag : 0
            }
            guard !sealed.isEmpty else { throw .operationFailed }
            return nonce + sealed
        }
    }

    /// Encrypts in CBC mode under a given initialization vector; ``encrypt(_:)`` makes a fresh one.
    /// - Parameters:
    ///   - key: 16, 24 or 32 bytes.
    ///   - vector: 16 bytes, written before the ciphertext.
    /// - Throws: ``CryptographyError/invalidKey`` for other lengths, ``CryptographyError/operationFailed``.
    package static func chained(_ plaintext: [UInt8], key: [UInt8], vector: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard [16, 24, 32].contains(key.count), vector.count == block else { throw .invalidKey }
        // The last byte is the number of padding bytes. XML Encryption allows any value in the others (section 5.2.1); PKCS #5 repeats the
        // number.
        let padding = block - plaintext.count % block
        let padded = plaintext + [UInt8](repeating: UInt8(padding), count: padding)
        let ciphertext = bytes(upTo: padded.count) {
            copenssl_aescbc(key, key.count, vector, 1, padded, padded.count, $0) == 1 ? padded.count : 0
        }
        guard !ciphertext.isEmpty else { throw .operationFailed }
        return vector + ciphertext
    }

    /// Decrypts the result of ``encrypt(_:)`` or of another implementation.
    /// - Throws: ``CryptographyError/authenticationFailed`` for bytes that were truncated or changed, as far as the mode detects it.
    package func decrypt(_ ciphertext: [UInt8]) throws(CryptographyError) -> [UInt8] {
        switch mode {
        case .cbc:
            guard ciphertext.count >= 2 * Self.block, ciphertext.count % Self.block == 0 else { throw .authenticationFailed }
            let blocks = Array(ciphertext.dropFirst(Self.block))
            let padded = bytes(upTo: blocks.count) {
                copenssl_aescbc(key, key.count, ciphertext, 0, blocks, blocks.count, $0) == 1 ? blocks.count : 0
            }
            guard let padding = padded.last, (1...UInt8(Self.block)).contains(padding) else { throw .authenticationFailed }
            return Array(padded.dropLast(Int(padding)))
        case .gcm:
            let count = ciphertext.count - Self.nonce - Self.tag
            guard count >= 0 else { throw .authenticationFailed }
            let sealed = Array(ciphertext[Self.nonce..<(Self.nonce + count)])
            let tag = Array(ciphertext.suffix(Self.tag))
            var isAuthentic = false
            // The capacity is one byte too large, because the buffer of an empty array may have no address to write to.
            let plaintext = bytes(upTo: count + 1) {
                isAuthentic = copenssl_aesgcm_open(key, key.count, ciphertext, nil, 0, sealed, count, tag, $0) == 1
                return isAuthentic ? count : 0
            }
            guard isAuthentic else { throw .authenticationFailed }
            return plaintext
        }
    }
}
