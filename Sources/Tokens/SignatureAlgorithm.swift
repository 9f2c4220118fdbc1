package import Cryptography

/// A signature algorithm of JOSE that tokens may use (RFC 7518 section 3.1); the raw value is its `alg`.
///
/// There is no `none`, no shared secret (`HS*`), no `PS*` and no `EdDSA`: tokens that name them are refused before a key is looked for.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"

    /// What kind of key the algorithm needs.
    enum Scheme {
        case rsa
        case ec(EllipticCurve)
    }

    var scheme: Scheme {
        switch self {
        case .rs256, .rs384, .rs512: .rsa
        case .es256: .ec(.p256)
        case .es384: .ec(.p384)
        case .es512: .ec(.p521)
        }
    }

    /// The digest that the algorithm signs.
    package var hash: HashAlgorithm {
        switch self {
        case .rs256, .es256: .sha256
        case .rs384, .es384: .sha384
        case .rs512, .es512: .sha512
        }
    }
}
