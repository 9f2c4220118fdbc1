/// A NIST curve with the digest that JOSE pairs it with (RFC 7518 sections 3.4 and 6.2.1.1). The raw value is the `crv` of JOSE.
package enum EllipticCurve: String, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// The size of the field in bits.
    var bits: Int {
        switch self {
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// The curve with a field of this many bits; nil for other curves and for other kinds of key, whose size is 0.
    init?(bits: Int) {
        switch bits {
        case 256: self = .p256
        case 384: self = .p384
        case 521: self = .p521
        default: return nil
        }
    }

    /// The length of one coordinate, and of each half of a signature, in bytes.
    package var coordinateByteCount: Int { (bits + 7) / 8 }

    /// The digest that signatures on this curve use.
    package var hash: HashAlgorithm {
        switch self {
        case .p256: .sha256
        case .p384: .sha384
        case .p521: .sha512
        }
    }
}
