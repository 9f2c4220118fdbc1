package import Cloud
package import Cryptography
package import Directory
import Tokens
import WireFormats

extension Cloud {
    /// Returns the certificates of a trust anchor in PEM: those of the seed, or that of its authority in the sandbox.
    /// - Throws: an error of the database, or of the key generation.
    package func authorities(of anchor: TrustAnchor) async throws -> String {
        if let certificates = anchor.certificates { return certificates }
        let key = try await signingKey(for: anchor.keyName)
        return try authority(of: anchor, key)
    }

    private func authority(of anchor: TrustAnchor, _ key: SigningKey) throws -> String {
        // X.520 limits a common name to 64 characters.
        let name = String(anchor.name.prefix(64))
        guard let certificate = try certificate(of: key, issuer: anchor.keyName, named: name) else {
            throw CryptographyError.operationFailed
        }
        return ClientCertificate.pem(base64: certificate.base64)
    }

    /// Issues a certificate for a client by the authority of a trust anchor.
    /// - Returns: the certificate in PEM; `nil` if the certificates of the anchor are of the seed, so that the sandbox has no key of them.
    /// - Throws: `CryptographyError.operationFailed`, also for a subject that cannot be certified, or an error of the database.
    package func issueCertificate(
        _ request: ClientCertificateRequest, for client: ClientKey, by anchor: TrustAnchor
    ) async throws -> String? {
        guard anchor.certificates == nil else { return nil }
        let key = try await signingKey(for: anchor.keyName)
        return try key.issue(request, for: client, authority: try authority(of: anchor, key))
    }

    /// Returns whether a trust anchor has revoked a certificate, or one of its chain.
    package static func isRevoked(_ certificate: ClientCertificate, chain: [ClientCertificate], by anchor: TrustAnchor) -> Bool {
        let revoked = [certificate] + chain
        if anchor.revoked.contains(where: { serial in revoked.contains { $0.serialNumber == serial } }) { return true }
        return anchor.revocations.map { CertificateTrust.isRevoked(certificate, chain: chain, by: $0) } ?? false
    }
}

extension ClientCertificate {
    /// The serial number in hexadecimal digits, without leading zeros.
    package var serialNumber: String { String(serial.hex.drop { $0 == "0" }) }
}
