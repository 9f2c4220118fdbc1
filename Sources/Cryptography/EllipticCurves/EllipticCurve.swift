/// A NIST curve with the digest that JOSE pairs it with (RFC 7518 sections 3.4 and 6.2.1.1); the raw value is its name there.
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

    /// The curve of a key's size in bits; nil for another curve and for keys of another kind, which have 0.
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

    /// The digest that signatures on this curve are made over.
    package var hash: HashAlgorithm {
        switch self {
        case .p256: .sha256
        case .p384: .sha384
        case .p521: .sha512
        }
    }
}
