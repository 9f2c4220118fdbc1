import COpenSSL

/// A key that makes Ed25519 signatures (RFC 8032 section 5.1).
package struct Ed25519PrivateKey: Sendable {
    let handle: KeyHandle

    /// Reads an unencrypted key from PEM, PKCS#8 (RFC 8410).
    /// - Throws: ``CryptographyError/invalidKey`` for anything else.
    package init(pem: String) throws(CryptographyError) {
        try self.init(handle: KeyHandle(pem: pem))
    }

    private init(handle: KeyHandle) throws(CryptographyError) {
        guard copenssl_is_ed25519(handle.pointer) == 1 else { throw .invalidKey }
        self.handle = handle
    }

    /// Makes a new key, in well under a millisecond.
    /// - Throws: ``CryptographyError/operationFailed`` when OpenSSL fails.
    package static func generate() throws(CryptographyError) -> Ed25519PrivateKey {
        guard let key = copenssl_ed25519_generate() else { throw .operationFailed }
        return try Ed25519PrivateKey(handle: KeyHandle(key))
    }

    /// The key as unencrypted PKCS#8 PEM, for storage.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package var pem: String {
        get throws(CryptographyError) { try handle.pem }
    }

    /// The key that verifies what this one signs.
    package var publicKey: Ed25519PublicKey { Ed25519PublicKey(handle: handle) }

    /// Returns the signature over a message, 64 bytes. Signatures are deterministic.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package func sign(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let signature = bytes(upTo: 64) { copenssl_ed25519_sign(handle.pointer, message, message.count, $0) == 1 ? 64 : 0 }
        guard !signature.isEmpty else { throw .operationFailed }
        return signature
    }
}
