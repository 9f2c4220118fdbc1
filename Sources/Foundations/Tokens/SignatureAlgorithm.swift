package import Cryptography
import WireFormats

/// A signature algorithm of JOSE (RFC 7518 section 3.1, RFC 8037 section 3.1); the raw value is its `alg`.
///
/// `none` is missing: tokens with it are rejected before a key is looked up. The caller that parses a token chooses which of the others it
/// accepts.
package enum SignatureAlgorithm: String, Sendable, Codable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    /// EdDSA with Ed25519, the only supported curve.
    case edDSA = "EdDSA"
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"

    /// The kind of key that the algorithm needs, and the operation.
    enum Scheme {
        case rsa(RSASignatureScheme)
        case ec(EllipticCurve)
        case ed25519
        /// HMAC with a shared secret.
        case hmac
    }

    var scheme: Scheme {
        switch self {
        case .rs256, .rs384, .rs512: .rsa(.pkcs1)
        case .ps256, .ps384, .ps512: .rsa(.pss)
        case .es256: .ec(.p256)
        case .es384: .ec(.p384)
        case .es512: .ec(.p521)
        case .edDSA: .ed25519
        case .hs256, .hs384, .hs512: .hmac
        }
    }

    /// The digest that the algorithm signs. Ed25519 hashes internally (RFC 8032 section 5.1).
    package var hash: HashAlgorithm {
        switch self {
        case .rs256, .ps256, .es256, .hs256: .sha256
        case .rs384, .ps384, .es384, .hs384: .sha384
        case .rs512, .ps512, .es512, .edDSA, .hs512: .sha512
        }
    }

    /// The algorithms with a private and a public key. Only these are published.
    package static let asymmetric: Set<SignatureAlgorithm> = Set(allCases).subtracting(sharedSecret)

    /// The asymmetric algorithms in the order in which documents list them.
    package static let published = allCases.filter(asymmetric.contains)

    /// The algorithms with a shared secret.
    package static let sharedSecret: Set<SignatureAlgorithm> = [.hs256, .hs384, .hs512]
}
