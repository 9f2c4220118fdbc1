import COpenSSL

/// The private key of a client's certificate.
package enum ClientKey: Sendable {
    case rsa(RSAPrivateKey)
    case ec(ECPrivateKey)

    /// Reads an unencrypted key from PEM.
    /// - Throws: ``CryptographyError/invalidKey`` for anything else, and for keys of other kinds.
    package init(pem: String) throws(CryptographyError) {
        do throws(CryptographyError) { self = .ec(try ECPrivateKey(pem: pem)) } catch { self = .rsa(try RSAPrivateKey(pem: pem)) }
    }

    /// The key as unencrypted PKCS#8 PEM.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package var pem: String {
        get throws(CryptographyError) {
            switch self {
            case .rsa(let key): try key.pem
            case .ec(let key): try key.pem
            }
        }
    }

    /// Returns a signature with SHA-256: RSASSA-PKCS1-v1_5, or ECDSA in DER.
    /// - Throws: ``CryptographyError/operationFailed``.
    package func sign(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        switch self {
        case .rsa(let key): try key.sign(message)
        case .ec(let key): try key.signSHA256(message)
        }
    }

    var handle: KeyHandle {
        switch self {
        case .rsa(let key): key.handle
        case .ec(let key): key.handle
        }
    }
}

extension ECPrivateKey {
    /// Returns the signature over the SHA-256 of a message in DER (RFC 5480), whatever the curve.
    /// - Throws: ``CryptographyError/operationFailed`` when OpenSSL has no entropy or no memory.
    package func signSHA256(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let digest = SHA256.hash(message)
        let signature = bytes(upTo: 256) { copenssl_ec_sign_der(handle.pointer, digest, digest.count, $0, 256) }
        guard !signature.isEmpty else { throw .operationFailed }
        return signature
    }
}

extension ECPublicKey {
    /// Returns whether the private key made this signature in DER (RFC 5480) over the SHA-256 of this message.
    package func verifySHA256(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let digest = SHA256.hash(message)
        return copenssl_ec_verify_der(handle.pointer, digest, digest.count, signature, signature.count) == 1
    }
}
