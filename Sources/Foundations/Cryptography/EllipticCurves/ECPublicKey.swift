import COpenSSL

/// A key on a NIST curve that verifies ECDSA signatures (FIPS 186-5) over the curve's own digest.
package struct ECPublicKey: Sendable {
    /// The curve of the key.
    package let curve: EllipticCurve

    let handle: KeyHandle

    /// Wraps a key whose curve has been checked.
    init(handle: KeyHandle, curve: EllipticCurve) {
        self.handle = handle
        self.curve = curve
    }

    /// Creates a key from the coordinates of its point, big-endian, each exactly ``EllipticCurve/coordinateByteCount`` bytes.
    /// - Throws: ``CryptographyError/invalidKey`` for another length and for a point that is not on the curve.
    package init(curve: EllipticCurve, x: [UInt8], y: [UInt8]) throws(CryptographyError) {
        guard x.count == curve.coordinateByteCount, y.count == x.count else { throw .invalidKey }
        let coordinates = x + y
        handle = try KeyHandle(copenssl_ec_public(curve.bits, coordinates, coordinates.count))
        self.curve = curve
    }

    /// The coordinates of the point, each ``EllipticCurve/coordinateByteCount`` bytes.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package var coordinates: (x: [UInt8], y: [UInt8]) {
        get throws(CryptographyError) {
            let half = curve.coordinateByteCount
            let both = bytes(upTo: half * 2) { copenssl_ec_coordinates(handle.pointer, $0, half * 2) == 1 ? half * 2 : 0 }
            guard !both.isEmpty else { throw .operationFailed }
            return (Array(both[..<half]), Array(both[half...]))
        }
    }

    /// Returns whether the private key made this signature `r || s` (RFC 7518 section 3.4) over this message.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == curve.coordinateByteCount * 2 else { return false }
        let digest = curve.hash.digest(message)
        return copenssl_ec_verify(handle.pointer, digest, digest.count, signature, signature.count) == 1
    }

    /// The key as PEM, as SubjectPublicKeyInfo.
    package var pem: String { handle.publicPEM }

    /// Returns whether a certificate in DER is for this key.
    package func isCertified(by certificate: [UInt8]) -> Bool { handle.isCertified(by: certificate) }
}
