package import Tokens

extension Cloud {
    /// Returns the certificate of an issuer's key, as DER; `nil` for a key other than RSA. The certificate is created once, because its
    /// signature costs as much as that of an assertion.
    /// - Parameters:
    ///   - issuer: the name of the key ring.
    ///   - name: the name in the certificate.
    /// - Throws: `CryptographyError.operationFailed`.
    package func certificate(of key: SigningKey, issuer: String, named name: String) throws -> [UInt8]? {
        if let certificate = withState({ $0.certificates[key.keyID] }) { return certificate }
        let ofTemplate = try keySupply.template?.certificate(of: key, issuer: issuer, subject: name)
        guard let certificate = try ofTemplate ?? key.selfSignedCertificate(named: name) else { return nil }
        withState { $0.certificates[key.keyID] = certificate }
        return certificate
    }
}
