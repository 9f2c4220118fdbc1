import COpenSSL

/// A key on a NIST curve that makes ECDSA signatures (FIPS 186-5) over the curve's own digest.
package struct ECPrivateKey: Sendable {
    /// The curve of the key.
    package let curve: EllipticCurve

    let handle: KeyHandle

    /// Reads an unencrypted key from PEM, PKCS#8 (RFC 5958) or SEC1 (RFC 5915).
    /// - Throws: ``CryptographyError/invalidKey`` for anything else and for other curves.
    package init(pem: String) throws(CryptographyError) {
        try self.init(handle: KeyHandle(pem: pem))
    }

    private init(handle: KeyHandle) throws(CryptographyError) {
        guard let curve = EllipticCurve(bits: copenssl_ec_bits(handle.pointer)) else { throw .invalidKey }
        self.curve = curve
        self.handle = handle
    }

    /// Makes a new key, in well under a millisecond.
    /// - Throws: ``CryptographyError/operationFailed`` when OpenSSL fails.
    package static func generate(_ curve: EllipticCurve = .p256) throws(CryptographyError) -> ECPrivateKey {
        guard let key = copenssl_ec_generate(curve.bits) else { throw .operationFailed }
        return try ECPrivateKey(handle: KeyHandle(key))
    }

    /// The key as unencrypted PKCS#8 PEM, for storage.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package var pem: String {
        get throws(CryptographyError) { try handle.pem }
    }

    /// The key that verifies what this one signs.
    package var publicKey: ECPublicKey { ECPublicKey(handle: handle, curve: curve) }

    /// Returns the signature over a message as `r || s`, each half ``EllipticCurve/coordinateByteCount`` bytes (RFC 7518 section 3.4).
    /// Signatures are not deterministic.
    /// - Throws: ``CryptographyError/operationFailed`` when OpenSSL has no entropy or no memory.
    package func sign(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let digest = curve.hash.digest(message)
        let count = curve.coordinateByteCount * 2
        let signature = bytes(upTo: count) {
            copenssl_ec_sign(handle.pointer, digest, digest.count, $0, count) == 1 ? count : 0
        }
        guard !signature.isEmpty else { throw .operationFailed }
        return signature
    }
}
