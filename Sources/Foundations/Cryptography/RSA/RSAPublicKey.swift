import COpenSSL

/// An RSA key that verifies signatures: RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2.2) or RSASSA-PSS (section 8.1.2). Creating one takes some
/// microseconds, so reuse it.
package struct RSAPublicKey: Sendable {
    /// The accepted sizes of the modulus in bits. RFC 7518 section 3.3 requires 2048; above 8192 verification is slow.
    static let bits = 2048...8192

    let handle: KeyHandle

    /// Wraps a key whose size has been checked.
    init(handle: KeyHandle) {
        self.handle = handle
    }

    /// Creates a key from big-endian numbers; leading zeros are allowed.
    /// - Throws: ``CryptographyError/invalidKey`` for a modulus outside 2048 to 8192 bits, an exponent of 1 or above 64 bits, and even
    ///   numbers.
    package init(modulus: [UInt8], exponent: [UInt8]) throws(CryptographyError) {
        handle = try KeyHandle(copenssl_rsa_public(modulus, modulus.count, exponent, exponent.count))
        guard Self.bits.contains(copenssl_rsa_bits(handle.pointer)) else { throw .invalidKey }
    }

    /// Reads a key from PEM, as SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
    /// - Throws: ``CryptographyError/invalidKey`` for anything else and for a modulus outside 2048 to 8192 bits.
    package init(pem: String) throws(CryptographyError) {
        handle = try KeyHandle(publicPEM: pem)
        guard Self.bits.contains(copenssl_rsa_bits(handle.pointer)) else { throw .invalidKey }
    }

    /// The key as PEM, as SubjectPublicKeyInfo.
    package var pem: String { handle.publicPEM }

    /// The modulus, big-endian without leading zeros.
    package var modulus: [UInt8] {
        bytes(upTo: 1024) { copenssl_rsa_modulus(handle.pointer, $0, 1024) }
    }

    /// The public exponent, big-endian without leading zeros.
    package var exponent: [UInt8] {
        bytes(upTo: 8) { copenssl_rsa_exponent(handle.pointer, $0, 8) }
    }

    /// Returns whether the private key made this signature, exactly as long as the modulus, over this message.
    package func verify(
        _ signature: [UInt8], of message: [UInt8], hash: HashAlgorithm = .sha256, scheme: RSASignatureScheme = .pkcs1
    ) -> Bool {
        let digest = hash.digest(message)
        return copenssl_rsa_verify(handle.pointer, scheme.identifier, hash.identifier, digest, digest.count, signature, signature.count)
            == 1
    }

    /// Returns whether the private key made this signature over the MD5 of this message.
    package func verifyMD5(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let digest = MD5.hash(message)
        return copenssl_rsa_verify(
            handle.pointer, RSASignatureScheme.pkcs1.identifier, Int32(COPENSSL_MD5), digest, digest.count, signature, signature.count) == 1
    }

    /// Returns whether a certificate in DER is for this key.
    package func isCertified(by certificate: [UInt8]) -> Bool { handle.isCertified(by: certificate) }
}
