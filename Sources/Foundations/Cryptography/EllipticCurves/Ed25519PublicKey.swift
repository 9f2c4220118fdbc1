import COpenSSL

/// A key that verifies Ed25519 signatures (RFC 8032 section 5.1).
package struct Ed25519PublicKey: Sendable {
    /// The length of a published key.
    private static let byteCount = 32

    let handle: KeyHandle

    /// Wraps a key whose kind has been checked.
    init(handle: KeyHandle) {
        self.handle = handle
    }

    /// Creates a key from its 32 bytes.
    /// - Throws: ``CryptographyError/invalidKey`` for another length.
    package init(bytes: [UInt8]) throws(CryptographyError) {
        handle = try KeyHandle(copenssl_ed25519_public(bytes, bytes.count))
    }

    /// The 32 bytes of the key, as it is published.
    /// - Throws: ``CryptographyError/operationFailed``.
    package var rawBytes: [UInt8] {
        get throws(CryptographyError) {
            let raw = bytes(upTo: Self.byteCount) { copenssl_ed25519_bytes(handle.pointer, $0) == 1 ? Self.byteCount : 0 }
            guard !raw.isEmpty else { throw .operationFailed }
            return raw
        }
    }

    /// Returns whether the private key made this signature over this message.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        copenssl_ed25519_verify(handle.pointer, message, message.count, signature, signature.count) == 1
    }

    /// The key as PEM, as SubjectPublicKeyInfo.
    package var pem: String { handle.publicPEM }

    /// Returns whether a certificate in DER is for this key.
    package func isCertified(by certificate: [UInt8]) -> Bool { handle.isCertified(by: certificate) }
}
