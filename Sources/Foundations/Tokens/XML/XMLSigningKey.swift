package import Cryptography
import WireFormats

/// A private key with its XML Signature algorithm.
package struct XMLSigningKey: Sendable {
    /// The algorithm that signs.
    package let algorithm: XMLSignatureAlgorithm
    private let material: Material

    private enum Material {
        case token(SigningKey)
        case rsa(RSAPrivateKey)
    }

    /// Creates the key from a token signing key, with the same algorithm; `nil` if XML Signature does not have it.
    package init?(_ key: SigningKey) {
        guard let algorithm = XMLSignatureAlgorithm(key.algorithm) else { return nil }
        self.algorithm = algorithm
        material = .token(key)
    }

    /// Creates the key with a given digest.
    package init(_ key: RSAPrivateKey, hash: HashAlgorithm) {
        algorithm =
            switch hash {
            case .sha1: .rsaSHA1
            case .sha256: .rsaSHA256
            case .sha384: .rsaSHA384
            case .sha512: .rsaSHA512
            }
        material = .rsa(key)
    }

    /// Returns the signature over a message.
    /// - Throws: ``CryptographyError/operationFailed`` where OpenSSL cannot sign.
    func sign(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        switch material {
        case .token(let key): try key.sign(message)
        case .rsa(let key): try key.sign(message, hash: algorithm.hash)
        }
    }
}
