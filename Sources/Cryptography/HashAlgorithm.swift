import COpenSSL

/// The digest that a signature is made over.
package enum HashAlgorithm: Sendable {
    case sha256
    case sha384
    case sha512

    /// The digest of a message: 32, 48 or 64 bytes.
    package func digest(_ message: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: SHA256.hash(message)
        case .sha384: SHA384.hash(message)
        case .sha512: SHA512.hash(message)
        }
    }

    /// The name that the C layer knows it by.
    var identifier: Int32 {
        switch self {
        case .sha256: Int32(COPENSSL_SHA256)
        case .sha384: Int32(COPENSSL_SHA384)
        case .sha512: Int32(COPENSSL_SHA512)
        }
    }
}
