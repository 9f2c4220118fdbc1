package import Cloud
import Cryptography
package import Directory
package import Tokens
package import WireFormats

/// Signs the SAML messages of a local identity provider with its token signing key and a certificate for it.
package struct SAMLSigner: Sendable {
    private let key: XMLSigningKey
    private let certificate: [UInt8]
    /// The epoch in which it signs.
    let epoch: String

    /// Creates a signer.
    /// - Parameters:
    ///   - hash: the digest that the receiver expects.
    ///   - unpublished: whether to use a key that the provider does not publish.
    /// - Throws: an error of the key's storage or of its certificate.
    package init(
        of provider: IdentityProvider, hash: ServiceProvider.SignatureHash = .sha256, unpublished: Bool = false, in cloud: Cloud
    ) async throws {
        epoch = cloud.epochID
        // Provider names cannot contain a slash, so this name is free.
        let issuer = unpublished ? "\(provider.name)/stranger" : provider.name
        let key = try await cloud.signingKey(for: issuer)
        guard let certificate = try cloud.certificate(of: key, issuer: issuer, named: provider.name) else {
            throw CryptographyError.invalidKey
        }
        self.certificate = certificate
        if hash == .sha256, let key = XMLSigningKey(key) {
            self.key = key
        } else {
            self.key = XMLSigningKey(try RSAPrivateKey(pem: key.pem), hash: hash.algorithm)
        }
    }

    /// Returns the element with a signature after its `Issuer`, or first if it has none.
    package func sign(_ element: XMLElement) throws -> XMLElement { try XMLSigner(key, certificate: certificate).sign(element) }

    /// Returns the signed query of a redirect that carries a message.
    package func query(_ kind: SAMLRedirect.Kind, _ message: XMLElement, relayState: String?) throws -> String {
        try SAMLRedirect.query(kind, message, relayState: relayState, key: key)
    }
}

extension ServiceProvider.SignatureHash {
    fileprivate var algorithm: HashAlgorithm {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}
