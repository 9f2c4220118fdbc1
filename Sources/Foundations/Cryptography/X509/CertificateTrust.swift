import COpenSSL

/// Authorities that vouch for certificates of clients (RFC 5280 section 6), and lists of revoked ones (section 5).
package struct CertificateTrust: Sendable {
    /// The certificates of the authorities, as PEM.
    private let authorities: String

    /// - Parameter pem: the certificates of the authorities.
    /// - Returns: `nil` for a text without certificates, and for one with a certificate that is not of an authority.
    package init?(pem: String) {
        guard Self.withText(pem, { copenssl_authorities_are_valid($0, $1) }) == 1 else { return nil }
        authorities = pem
    }

    /// Returns why there is no path from a certificate to an authority, on which all certificates are valid and signed with SHA-256 or better;
    /// `nil` if there is one.
    /// - Parameters:
    ///   - chain: the certificates between them, in any order.
    ///   - now: seconds since 1970.
    package func fault(of certificate: ClientCertificate, chain: [ClientCertificate], now: Int64) -> String? {
        let others = chain.flatMap(\.der)
        var isTrusted = false
        let reason = bytes(upTo: 256) { reason in
            reason.withMemoryRebound(to: CChar.self, capacity: 256) { reason in
                Self.withText(authorities) { text, count in
                    isTrusted =
                        copenssl_certificate_is_trusted(
                            certificate.der, certificate.der.count, others, others.count, text, count, now, reason, 256) == 1
                }
            }
            return 256
        }
        return isTrusted ? nil : String(decoding: reason.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Returns whether a text has certificate revocation lists in PEM, and one of the authorities signed each.
    package func hasSigned(revocations: String) -> Bool {
        Self.withText(authorities) { text, count in
            Self.withText(revocations) { copenssl_revocations_are_signed($0, $1, text, count) }
        } == 1
    }

    /// Returns whether a certificate, or one of its chain, is in a revocation list of its issuer.
    /// - Parameter revocations: certificate revocation lists in PEM.
    package static func isRevoked(_ certificate: ClientCertificate, chain: [ClientCertificate], by revocations: String) -> Bool {
        let others = chain.flatMap(\.der)
        return withText(revocations) {
            copenssl_certificate_is_revoked(certificate.der, certificate.der.count, others, others.count, $0, $1)
        } == 1
    }

    private static func withText<Result>(_ text: String, _ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
        var text = text
        return text.withUTF8 { bytes in bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress, $0.count) } }
    }
}
