package import Tokens
import WireFormats

extension Client {
    /// The algorithm with a shared secret that the client has registered for its ID tokens; `nil` if a key pair signs them.
    package var sharedSecretAlgorithm: SignatureAlgorithm? {
        let name = metadata.idTokenSignedResponseAlg
        return SignatureAlgorithm.sharedSecret.first { $0.rawValue == name }
    }

    /// The key of the client's ID tokens: the bytes of its secret (OpenID Connect Core 1.0 section 10.1). It is `nil` if a key pair signs
    /// them, or if the client has no secret that is long enough.
    package var idTokenSecret: [UInt8]? {
        guard let algorithm = sharedSecretAlgorithm, let secret, secret.utf8.count >= algorithm.shortestSecret else { return nil }
        return Array(secret.utf8)
    }

    /// What is missing for the registered algorithm of ID tokens; `nil` if nothing is.
    package var sharedSecretFault: String? {
        guard let algorithm = sharedSecretAlgorithm, idTokenSecret == nil else { return nil }
        return "a client secret of at least \(algorithm.shortestSecret) bytes for the "
            + "\(ClientMetadata.CodingKeys.idTokenSignedResponseAlg.rawValue) \(algorithm.rawValue) (RFC 7518 section 3.2)"
    }
}
