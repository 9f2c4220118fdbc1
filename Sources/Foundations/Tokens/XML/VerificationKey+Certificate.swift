package import Cryptography

extension VerificationKey {
    /// Creates the key of a certificate; `nil` for an unsupported kind or size.
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
