package import Cloud
import Cryptography
package import Directory
package import WireFormats

/// Makes the tokens and codes of the identity providers; opaque ones are kept as grants.
///
/// The login flows use it, and so does the control API, so that a token on demand is no different from one of a login.
package struct TokenMint: Sendable {
    let cloud: Cloud

    /// - Parameter cloud: the sandbox whose keys sign.
    package init(cloud: Cloud) { self.cloud = cloud }

    /// Seconds in which an authorization code must be redeemed (RFC 6749 section 4.1.2 recommends at most ten minutes).
    package static let codeLifetime = 300

    /// Seconds that a refresh token lives; Amazon's and Google's until they are revoked.
    package static func refreshTokenLifetime(of kind: IdentityProvider.Kind) -> Int {
        kind == .openIDConnect ? 30 * 86_400 : 10 * 365 * 86_400
    }

    /// An authorization code, redeemed once.
    /// - Parameters:
    ///   - binding: what the redemption is checked against, such as redirect URI and code challenge.
    ///   - lifetime: seconds.
    /// - Throws: an error of the random generator or the database.
    package func code(_ approval: Approval, binding: JSONObject, lifetime: Int = codeLifetime) async throws -> String {
        let code = try OpaqueToken.code(of: approval.provider.kind)
        let grant = grant(.code, approval, lifetime: lifetime, binding)
        try await cloud.grants.keep(grant, under: code)
        return code
    }

    /// An opaque access token in the shape of the provider's own.
    /// - Parameters:
    ///   - lifetime: seconds; the provider's usual ones where absent.
    ///   - details: what the provider remembers of it beside the approval.
    /// - Throws: an error of the random generator or the database.
    package func accessToken(_ approval: Approval, lifetime: Int? = nil, details: JSONObject = [:]) async throws -> String {
        var issued = try newAccessToken(approval, lifetime: lifetime)
        for (name, value) in details.members { issued.grant.details[name] = value }
        try await cloud.grants.keep(issued.grant, under: issued.token)
        return issued.token
    }

    /// A refresh token.
    /// - Parameter lifetime: seconds; the provider's usual ones where absent.
    /// - Throws: an error of the random generator or the database.
    package func refreshToken(_ approval: Approval, lifetime: Int? = nil) async throws -> String {
        let issued = try newRefreshToken(approval, lifetime: lifetime)
        try await cloud.grants.keep(issued.grant, under: issued.token)
        return issued.token
    }

    /// An opaque access token that is yet to be kept.
    /// - Throws: an error of the random generator.
    package func newAccessToken(_ approval: Approval, lifetime: Int? = nil) throws -> IssuedGrant {
        let token = try OpaqueToken.accessToken(of: approval.provider.kind, client: approval.client)
        return IssuedGrant(grant(.accessToken, approval, lifetime: lifetime ?? approval.provider.tokenLifetime), token: token)
    }

    /// An opaque access token of an OpenID Connect issuer that carries what it is for: nothing is kept.
    /// - Throws: an error of the random generator.
    package func sealedAccessToken(_ approval: Approval) throws -> String {
        try cloud.grants.seal(grant(.accessToken, approval, lifetime: approval.provider.tokenLifetime))
    }

    /// A refresh token that is yet to be kept.
    /// - Throws: an error of the random generator.
    package func newRefreshToken(_ approval: Approval, lifetime: Int? = nil) throws -> IssuedGrant {
        let kind = approval.provider.kind
        let token = try OpaqueToken.refreshToken(of: kind)
        return IssuedGrant(grant(.refreshToken, approval, lifetime: lifetime ?? Self.refreshTokenLifetime(of: kind)), token: token)
    }

    private func grant(_ kind: Grant.Kind, _ approval: Approval, lifetime: Int, _ further: JSONObject = [:]) -> Grant {
        var details = approval.details
        for (name, value) in further.members { details[name] = value }
        let now = cloud.clock.now
        return Grant(
            kind: kind, provider: approval.provider.name, client: approval.client.id, person: approval.person.name, issued: now,
            expires: now + .seconds(lifetime), details: details)
    }
}
