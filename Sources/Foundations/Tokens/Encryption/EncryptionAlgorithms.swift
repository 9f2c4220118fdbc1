import Cryptography
import WireFormats

/// How the key of an encrypted token is delivered to its receiver (RFC 7518 section 4.1); the raw value is its `alg`.
///
/// RSAES-PKCS1-v1_5 and RSAES-OAEP with SHA-1 are missing on purpose, and so are the algorithms with shared secrets.
package enum KeyManagementAlgorithm: String, Sendable, CaseIterable {
    /// RSAES-OAEP with SHA-256 throughout (section 4.3).
    case rsaOAEP256 = "RSA-OAEP-256"
    /// Key agreement on the content's key itself (section 4.6).
    case ecdhES = "ECDH-ES"
    /// Key agreement on a key that wraps the content's key.
    case ecdhESA128KW = "ECDH-ES+A128KW"
    case ecdhESA256KW = "ECDH-ES+A256KW"

    static let padding = OAEP(hash: .sha256, maskHash: .sha256)

    /// The length of the key that wraps the content's key, in bytes; `nil` if none does.
    var wrappingKeyByteCount: Int? {
        switch self {
        case .rsaOAEP256, .ecdhES: nil
        case .ecdhESA128KW: 16
        case .ecdhESA256KW: 32
        }
    }
}

/// How the content of a token is encrypted (RFC 7518 section 5.1); the raw value is its `enc`.
package enum ContentEncryption: String, Sendable, CaseIterable {
    case a128GCM = "A128GCM"
    case a256GCM = "A256GCM"
    /// AES-128 in CBC mode with HMAC-SHA-256 (section 5.2.3).
    case a128CBCHS256 = "A128CBC-HS256"

    /// The encryption of clients that register only the algorithm for the key (OpenID Connect Dynamic Client Registration 1.0 section 2).
    package static let usual = ContentEncryption.a128CBCHS256

    /// The length of the key in bytes.
    var keyByteCount: Int {
        switch self {
        case .a128GCM: 16
        case .a256GCM, .a128CBCHS256: 32
        }
    }

    /// The length of the initialization vector in bytes.
    var vectorByteCount: Int {
        switch self {
        case .a128GCM, .a256GCM: GaloisCounterMode.nonceByteCount
        case .a128CBCHS256: 16
        }
    }

    /// The length of the authentication tag in bytes.
    static let tagByteCount = 16

    /// Encrypts a message.
    /// - Parameter header: the encoded header, which is authenticated.
    /// - Returns: the ciphertext and then the tag.
    func seal(_ plaintext: [UInt8], key: [UInt8], vector: [UInt8], header: [UInt8]) throws(CryptographyError) -> [UInt8] {
        switch self {
        case .a128GCM, .a256GCM:
            return try GaloisCounterMode.seal(plaintext, key: key, nonce: vector, context: header)
        case .a128CBCHS256:
            let (macKey, encryptionKey) = Self.halves(of: key)
            let chained = try BlockEncryption.chained(plaintext, key: encryptionKey, vector: vector)
            let ciphertext = Array(chained.dropFirst(vector.count))
            return ciphertext + (try Self.tag(of: ciphertext, key: macKey, vector: vector, header: header))
        }
    }

    /// Decrypts a message.
    /// - Throws: ``CryptographyError/authenticationFailed`` for anything that was not encrypted with this key and header.
    func open(
        _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], vector: [UInt8], header: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard key.count == keyByteCount, vector.count == vectorByteCount, tag.count == Self.tagByteCount else {
            throw .authenticationFailed
        }
        switch self {
        case .a128GCM, .a256GCM:
            return try GaloisCounterMode.open(ciphertext, tag: tag, key: key, nonce: vector, context: header)
        case .a128CBCHS256:
            let (macKey, encryptionKey) = Self.halves(of: key)
            let expected = try Self.tag(of: ciphertext, key: macKey, vector: vector, header: header)
            guard constantTimeEquals(expected, tag) else { throw .authenticationFailed }
            return try BlockEncryption(.cbc, key: encryptionKey).decrypt(vector + ciphertext)
        }
    }

    private static func halves(of key: [UInt8]) -> (mac: [UInt8], encryption: [UInt8]) {
        (Array(key.prefix(key.count / 2)), Array(key.dropFirst(key.count / 2)))
    }

    /// Returns the authentication tag of CBC mode (section 5.2.2.1): half of the HMAC.
    private static func tag(of ciphertext: [UInt8], key: [UInt8], vector: [UInt8], header: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let bits = UInt64(header.count) * 8
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        let code = try HashAlgorithm.sha256.authenticationCode(key: key, of: header + vector + ciphertext + length)
        return Array(code.prefix(tagByteCount))
    }
}
