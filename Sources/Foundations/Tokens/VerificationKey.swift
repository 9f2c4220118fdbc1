package import Cryptography
import WireFormats

/// A public key that verifies token signatures. Reuse it: creating one costs as much as verifying once.
package enum VerificationKey: Sendable {
    case rsa(RSAPublicKey)
    case ec(ECPublicKey)
    case ed25519(Ed25519PublicKey)

    /// Returns whether the kind and the curve of the key fit an algorithm.
    package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        switch (self, algorithm.scheme) {
        case (.rsa, .rsa): true
        case (.ec(let key), .ec(let curve)): key.curve == curve
        case (.ed25519, .ed25519): true
        case (.rsa, _), (.ec, _), (.ed25519, _): false
        }
    }

    /// The key as PEM, as SubjectPublicKeyInfo (RFC 7468 section 13).
    package var pem: String {
        switch self {
        case .rsa(let key): key.pem
        case .ec(let key): key.pem
        case .ed25519(let key): key.pem
        }
    }

    /// Returns whether a certificate in DER (RFC 5280) is for this key.
    package func isCertified(by certificate: [UInt8]) -> Bool {
        switch self {
        case .rsa(let key): key.isCertified(by: certificate)
        case .ec(let key): key.isCertified(by: certificate)
        case .ed25519(let key): key.isCertified(by: certificate)
        }
    }

    /// Returns whether the signature was made over the message; false also where the key does not fit the algorithm.
    func verify(_ signature: [UInt8], of message: [UInt8], algorithm: SignatureAlgorithm) -> Bool {
        switch (self, algorithm.scheme) {
        case (.rsa(let key), .rsa(let scheme)): key.verify(signature, of: message, hash: algorithm.hash, scheme: scheme)
        case (.ec(let key), .ec(let curve)): key.curve == curve && key.verify(signature, of: message)
        case (.ed25519(let key), .ed25519): key.verify(signature, of: message)
        case (.rsa, _), (.ec, _), (.ed25519, _): false
        }
    }
}
