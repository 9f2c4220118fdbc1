import COpenSSL

extension ECPrivateKey {
    /// Returns the secret that this key and the other party's key have in common: the x coordinate of the product (NIST SP 800-56A section
    /// 5.7.1.2), ``EllipticCurve/coordinateByteCount`` bytes.
    /// - Throws: ``CryptographyError/invalidKey`` for a key of another curve.
    package func sharedSecret(with other: ECPublicKey) throws(CryptographyError) -> [UInt8] {
        guard other.curve == curve else { throw .invalidKey }
        let count = curve.coordinateByteCount
        let secret = bytes(upTo: count) { copenssl_ecdh(handle.pointer, other.handle.pointer, $0, count) == 1 ? count : 0 }
        guard !secret.isEmpty else { throw .invalidKey }
        return secret
    }
}
