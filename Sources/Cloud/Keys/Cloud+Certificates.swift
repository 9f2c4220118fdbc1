package import Tokens

extension Cloud {
    /// Returns the certificate of an issuer's key, as DER; `nil` for a key other than RSA. The certificate is created once, because its
    /// signature costs as much as that of an assertion.
    /// - Parameter name: the name of the issuer.
    /// - Throws: `CryptographyError.operationFailed`.
    package func certificate(of key: SigningKey, named name: String) throws -> [UInt8]? {
        if let certificate = withState({ $0.certificates[key.keyID] }) { return certificate }
        guard let certificate = try key.selfSignedCertificate(named: name) else { return nil }
        withState { $0.certificates[key.keyID] = certificate }
        return certificate
    }
}
