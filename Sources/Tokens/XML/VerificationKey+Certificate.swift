package import Cryptography

extension VerificationKey {
    /// The key of a certificate; `nil` for one of a kind or size that we do not know.
    package init?(_ certificate: X509Certificate) {
        if let key = certificate.rsaKey {
            self = .rsa(key)
        } else if let key = certificate.ecKey {
            self = .ec(key)
        } else {
            return nil
        }
    }
}
