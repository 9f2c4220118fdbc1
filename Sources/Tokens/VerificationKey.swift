package import Cryptography

/// A public key that token signatures are verified with. Keep it: making one costs as much as using it.
package enum VerificationKey: Sendable {
    case rsa(RSAPublicKey)
    case ec(ECPublicKey)

    /// Whether the key is of the kind, and on the curve, that an algorithm needs.
    package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        switch (self, algorithm.scheme) {
        case (.rsa, .rsa): true
        case (.ec(let key), .ec(let curve)): key.curve == curve
        case (.rsa, .ec), (.ec, .rsa): false
        }
    }

    /// Whether a certificate in DER (RFC 5280) is for this key.
    package func isCertified(by certificate: [UInt8]) -> Bool {
        switch self {
        case .rsa(let key): key.isCertified(by: certificate)
        case .ec(let key): key.isCertified(by: certificate)
        }
    }

    /// Whether the signature was made over the message; false as well where the key does not fit the algorithm.
    func verify(_ signature: [UInt8], of message: [UInt8], algorithm: SignatureAlgorithm) -> Bool {
        guard fits(algorithm) else { return false }
        return switch self {
        case .rsa(let key): key.verify(signature, of: message, hash: algorithm.hash)
        case .ec(let key): key.verify(signature, of: message)
        }
    }
}
