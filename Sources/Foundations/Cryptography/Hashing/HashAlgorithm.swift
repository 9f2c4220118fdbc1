import COpenSSL

/// The digest that a signature uses.
package enum HashAlgorithm: Sendable {
    /// SHA-1, for old XML signatures where they are allowed, and as a part of RSAES-OAEP, which does not depend on collision resistance.
    case sha1
    case sha256
    case sha384
    case sha512

    /// Returns the digest of a message: 20, 32, 48 or 64 bytes.
    package func digest(_ message: [UInt8]) -> [UInt8] {
        switch self {
        case .sha1: SHA1.hash(message)
        case .sha256: SHA256.hash(message)
        case .sha384: SHA384.hash(message)
        case .sha512: SHA512.hash(message)
        }
    }

    /// The identifier of the digest in the C layer.
    var identifier: Int32 {
        switch self {
        case .sha1: Int32(COPENSSL_SHA1)
        case .sha256: Int32(COPENSSL_SHA256)
        case .sha384: Int32(COPENSSL_SHA384)
        case .sha512: Int32(COPENSSL_SHA512)
        }
    }
}
