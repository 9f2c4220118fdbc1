package import Tokens

extension Cloud {
    /// The certificate by which relying parties know an issuer's key, as DER; `nil` for a key that is not RSA's. It is made once: to make it
    /// costs a signature, which would double what an assertion costs.
    /// - Parameter name: of the issuer.
    /// - Throws: `CryptographyError.operationFailed`.
    package func certificate(of key: SigningKey, named name: String) throws -> [UInt8]? {
        if let certificate = withState({ $0.certificates[key.keyID] }) { return certificate }
        guard let certificate = try key.selfSignedCertificate(named: name) else { return nil }
        withState { $0.certificates[key.keyID] = certificate }
        return certificate
    }
}
