import COpenSSL

/// An RSA key that verifies signatures: RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2.2) or RSASSA-PSS (section 8.1.2). Building one costs
/// some microseconds: keep it.
package struct RSAPublicKey: Sendable {
    /// The sizes of modulus in bits that are accepted: RFC 7518 section 3.3 asks for 2048, and beyond 8192 verifying gets slow.
    static let bits = 2048...8192

    let handle: KeyHandle

    /// Takes a key of which the size has been checked.
    init(handle: KeyHandle) {
        self.handle = handle
    }

    /// Builds a key from big-endian numbers, leading zeros allowed.
    /// - Throws: ``CryptographyError/invalidKey`` for a modulus outside 2048 to 8192 bits, an exponent of 1 or above 64 bits, and even numbers.
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

    /// Whether this signature of exactly the modulus's length was made over this message by the private key.
    package func verify(
        _ signature: [UInt8], of message: [UInt8], hash: HashAlgorithm = .sha256, scheme: RSASignatureScheme = .pkcs1
    ) -> Bool {
        let digest = hash.digest(message)
        return copenssl_rsa_verify(handle.pointer, scheme.identifier, hash.identifier, digest, digest.count, signature, signature.count)
            == 1
    }

    /// Whether this signature was made over the MD5 of this message by the private key.
    package func verifyMD5(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let digest = MD5.hash(message)
        return copenssl_rsa_verify(
            handle.pointer, RSASignatureScheme.pkcs1.identifier, Int32(COPENSSL_MD5), digest, digest.count, signature, signature.count) == 1
    }

    /// Whether a certificate in DER is for this key.
    package func isCertified(by certificate: [UInt8]) -> Bool { handle.isCertified(by: certificate) }
}
