import Cloud
package import Directory
package import WireFormats

/// The claims of an ID token whose signature, times, issuer and audience have been verified.
package struct VerifiedIDToken: Sendable {
    /// The issuer as the trusting account spells it; a local issuer has other names too.
    package var issuer: String
    /// The claim `sub`.
    package var subject: String
    /// The audiences; at least one.
    package var audiences: [String]
    /// The claim `iat`.
    package var issuedAt: Timestamp
    /// The claim `exp`.
    package var expiry: Timestamp
}

extension WebIdentityVerifier {
    /// Verifies an ID token of a trusted issuer, local or external.
    /// - Throws: `WebIdentityError`, or an error of the database.
    package func verify(idToken text: String, of trust: OpenIDConnectTrust) async throws -> VerifiedIDToken {
        let (token, claims) = try Self.parse(text)
        if let provider = cloud.directory.provider(issuer: claims.issuer, names: names) {
            // A local issuer can be trusted under any of its names.
            guard claims.issuer == trust.url || provider.issuer == trust.url else { throw WebIdentityError.unknownIssuer(claims.issuer) }
            try await verifySignature(of: token, issuedBy: provider.name, provider.issuer)
        } else {
            guard claims.issuer == trust.url, !OutboundIssuer.isIssuer(claims.issuer) else {
                throw WebIdentityError.unknownIssuer(claims.issuer)
            }
            try await verifySignature(of: token, issuedElsewhereBy: claims.issuer)
        }
        try claims.checkTimes(cloud.clock)
        guard claims.audiences.contains(where: trust.clientIDs.contains) else {
            throw WebIdentityError.audienceNotAccepted(presented: claims.audiences, accepted: trust.clientIDs)
        }
        let issuedAt = Timestamp(seconds: claims.issuedAt)
        let hours = trust.issuanceLimit ?? OpenIDConnectTrust.standardIssuanceLimit
        if cloud.clock.hasExpired(issuedAt + .seconds(hours * 3600), issuedAt: issuedAt) { throw WebIdentityError.issuedTooLongAgo }
        return VerifiedIDToken(
            issuer: trust.url, subject: claims.subject, audiences: claims.audiences, issuedAt: issuedAt,
            expiry: Timestamp(seconds: claims.expiry))
    }
}
