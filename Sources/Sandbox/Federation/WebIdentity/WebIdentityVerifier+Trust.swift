import Cloud
package import Directory
import Tokens
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
        var run = DecidingRun<WebIdentityError>()
        let presented = try present(text, to: .provider(trust), &run)
        return try verified(presented, of: trust, key: try await key(of: presented), &run)
    }

    /// Returns the content of a token, after the checks that need its key.
    func verified<Run: CheckRun>(
        _ presented: PresentedToken, of trust: OpenIDConnectTrust, key: Result<VerificationKey, WebIdentityError>, _ run: inout Run
    ) throws(WebIdentityError) -> VerifiedIDToken where Run.Failure == WebIdentityError {
        try checkSignatureAndTimes(of: presented, key: key, &run)
        try check(audienceOf: presented, in: trust.clientIDs, &run)
        let claims = presented.claims
        let issuedAt = Timestamp(seconds: claims.issuedAt)
        try run.check("issuance limit") { () throws(WebIdentityError) in
            let hours = trust.issuanceLimit ?? OpenIDConnectTrust.standardIssuanceLimit
            if cloud.clock.hasExpired(issuedAt + .seconds(hours * 3600), issuedAt: issuedAt) { throw .issuedTooLongAgo }
        }
        return VerifiedIDToken(
            issuer: trust.url, subject: claims.subject, audiences: claims.audiences, issuedAt: issuedAt,
            expiry: Timestamp(seconds: claims.expiry))
    }

    /// Checks that a token is for one of some clients.
    func check<Run: CheckRun>(
        audienceOf presented: PresentedToken, in clientIDs: [String], _ run: inout Run
    ) throws(WebIdentityError) where Run.Failure == WebIdentityError {
        try run.check("audience") { () throws(WebIdentityError) in
            let audiences = presented.claims.audiences
            guard audiences.contains(where: clientIDs.contains) else {
                throw .audienceNotAccepted(presented: audiences, accepted: clientIDs)
            }
        }
    }
}
