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

    /// There is no path from a certificate to an authority.
    package struct NoPath: Error {
        /// Why not, as OpenSSL says it.
        package let reason: String
    }

    /// The maximum size of a path in bytes.
    private static let largestPath = 256 << 10

    /// Finds the path from a certificate to an authority, on which all certificates are valid and signed with SHA-256 or better.
    /// - Parameters:
    ///   - chain: the certificates between them, in any order. Those of the authorities need not be among them.
    ///   - now: seconds since 1970.
    /// - Returns: the certificates of the path after the first, with that of the authority.
    package func path(
        from certificate: ClientCertificate, chain: [ClientCertificate], now: Int64
    ) throws(NoPath) -> [ClientCertificate] {
        let others = chain.flatMap(\.der)
        var isTrusted = false
        var path: [UInt8] = []
        let reason = bytes(upTo: 256) { reason in
            reason.withMemoryRebound(to: CChar.self, capacity: 256) { reason in
                path = bytes(upTo: Self.largestPath) { output in
                    var written = 0
                    Self.withText(authorities) { text, count in
                        isTrusted =
                            copenssl_certificate_is_trusted(
                                certificate.der, certificate.der.count, others, others.count, text, count, now, output,
                                Self.largestPath, &written, reason, 256) == 1
                    }
                    return written
                }
            }
            return 256
        }
        guard isTrusted else { throw NoPath(reason: String(decoding: reason.prefix { $0 != 0 }, as: UTF8.self)) }
        guard let certificates = Self.certificates(in: path) else { throw NoPath(reason: "a certificate of the path cannot be read") }
        return certificates
    }

    /// Returns why there is no path from a certificate to an authority; `nil` if there is one.
    package func fault(of certificate: ClientCertificate, chain: [ClientCertificate], now: Int64) -> String? {
        do throws(NoPath) { _ = try path(from: certificate, chain: chain, now: now) } catch { return error.reason }
        return nil
    }

    /// Reads certificates in DER, each after its length in four bytes; `nil` if one cannot be read.
    private static func certificates(in path: [UInt8]) -> [ClientCertificate]? {
        var certificates: [ClientCertificate] = []
        var rest = path[...]
        while rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard let certificate = try? ClientCertificate(der: Array(rest.prefix(length))) else { return nil }
            certificates.append(certificate)
            rest = rest.dropFirst(length)
        }
        return certificates
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
