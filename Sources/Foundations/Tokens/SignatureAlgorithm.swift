package import Cryptography
import WireFormats

/// A signature algorithm of JOSE (RFC 7518 section 3.1, RFC 8037 section 3.1, RFC 9864 section 2.2); the raw value is its `alg`.
///
/// This is the only table of names. Whatever reads or writes an `alg` takes its names from here: parsers, metadata, registration, seeds and
/// the control API. `none` is missing: tokens with it are rejected before a key is looked up. The caller that parses a token chooses which
/// of the others it accepts.
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
    /// EdDSA with Ed25519, the only supported curve. RFC 9864 deprecates this name, which does not name the curve.
    case edDSA = "EdDSA"
    /// EdDSA with Ed25519 under the name of RFC 9864.
    case ed25519 = "Ed25519"
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
        case .edDSA, .ed25519: .ed25519
        case .hs256, .hs384, .hs512: .hmac
        }
    }

    /// The digest that the algorithm signs. Ed25519 hashes internally (RFC 8032 section 5.1).
    package var hash: HashAlgorithm {
        switch self {
        case .rs256, .ps256, .es256, .hs256: .sha256
        case .rs384, .ps384, .es384, .hs384: .sha384
        case .rs512, .ps512, .es512, .edDSA, .ed25519, .hs512: .sha512
        }
    }

    /// The algorithms with a private and a public key. Only these are published.
    package static let asymmetric: Set<SignatureAlgorithm> = Set(allCases).subtracting(sharedSecret)

    /// The asymmetric algorithms in the order in which documents list them.
    package static let published = allCases.filter(asymmetric.contains)

    /// The algorithms with a shared secret.
    package static let sharedSecret: Set<SignatureAlgorithm> = [.hs256, .hs384, .hs512]

    /// The fewest bytes that a shared secret may have: as many as the algorithm's digest (RFC 7518 section 3.2).
    package var shortestSecret: Int {
        switch hash {
        case .sha512: SHA512.byteCount
        case .sha384: SHA384.byteCount
        default: SHA256.byteCount
        }
    }

    /// The algorithms of RSA and of ECDSA: RSASSA-PKCS1-v1_5 and the curves of NIST. AWS STS accepts no others.
    package static let rsaAndECDSA: Set<SignatureAlgorithm> = [.rs256, .rs384, .rs512, .es256, .es384, .es512]

    /// The names of EdDSA with Ed25519.
    package static let edwards: Set<SignatureAlgorithm> = [.edDSA, .ed25519]

    /// Returns whether two names stand for the same computation. A key that is restricted to `EdDSA` also verifies tokens that name
    /// `Ed25519` (RFC 9864 section 4.1).
    package func isSame(as other: SignatureAlgorithm) -> Bool {
        self == other || (Self.edwards.contains(self) && Self.edwards.contains(other))
    }

    /// The names that other servers support and this one does not, with the reason for the sender of such a token.
    package static let refused: [(name: String, reason: String)] = [
        ("none", "a token must be signed"),
        ("Ed448", "the only supported curve of EdDSA is Ed25519"),
        ("ES256K", "the curve secp256k1 is not supported"),
    ]

    /// The keys that verify signatures, in words.
    package static let supportedKeys = "RSA, EC with P-256, P-384 or P-521, or OKP with Ed25519"
}
