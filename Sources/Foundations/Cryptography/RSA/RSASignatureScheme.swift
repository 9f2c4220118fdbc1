import COpenSSL

/// An RSA signature scheme (RFC 8017 section 8).
package enum RSASignatureScheme: Sendable {
    /// RSASSA-PKCS1-v1_5.
    case pkcs1
    /// RSASSA-PSS as JOSE defines it: the salt is as long as the digest, and MGF1 uses the same digest (RFC 7518 section 3.5).
    case pss

    /// The identifier of the scheme in the C layer.
    var identifier: Int32 {
        switch self {
        case .pkcs1: Int32(COPENSSL_PKCS1)
        case .pss: Int32(COPENSSL_PSS)
        }
    }
}
