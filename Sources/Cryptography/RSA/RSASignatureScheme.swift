import COpenSSL

/// How an RSA signature is made of a digest (RFC 8017 section 8).
package enum RSASignatureScheme: Sendable {
    /// RSASSA-PKCS1-v1_5.
    case pkcs1
    /// RSASSA-PSS as JOSE has it: salt as long as the digest, MGF1 with the same digest (RFC 7518 section 3.5).
    case pss

    /// The name that the C layer knows it by.
    var identifier: Int32 {
        switch self {
        case .pkcs1: Int32(COPENSSL_PKCS1)
        case .pss: Int32(COPENSSL_PSS)
        }
    }
}
