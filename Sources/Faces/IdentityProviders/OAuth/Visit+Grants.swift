import Cloud
import Federation

extension Visit {
    /// The verifier of the provider's tokens and codes.
    var grantVerifier: GrantVerifier { GrantVerifier(provider: provider, cloud: cloud) }

    /// Returns the live grant of an access token.
    func grant(ofAccessToken token: String) async throws -> Grant? { try await grantVerifier.verified(token, kind: .accessToken)?.grant }

    /// Returns an access token or a refresh token that is valid. The client's type hint is not needed (RFC 7662 section 2.1, RFC 7009
    /// section 2.1).
    func token(_ token: String) async throws -> VerifiedGrant? {
        if let access = try await grantVerifier.verified(token, kind: .accessToken) { return access }
        return try await grantVerifier.verified(token, kind: .refreshToken)
    }
}
