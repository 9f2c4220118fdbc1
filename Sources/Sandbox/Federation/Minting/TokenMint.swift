package import Cloud
import Cryptography
package import Directory
package import Tokens
package import WireFormats

/// Issues the tokens and codes of the identity providers and stores grants for the opaque ones.
///
/// The login flows and the control API both use it, so a token on demand does not differ from one of a login.
package struct TokenMint: Sendable {
    let cloud: Cloud
    let grantIssuer: GrantIssuer

    /// Creates a mint for what is read from the directory afterwards.
    /// - Parameter cloud: the sandbox whose keys sign.
    package init(cloud: Cloud) { self.init(cloud: cloud, grantIssuer: cloud.grantIssuer) }

    /// Creates the mint of a request.
    /// - Parameters:
    ///   - cloud: the sandbox whose keys sign.
    ///   - grantIssuer: what issues grants on the directory that the request has read.
    package init(cloud: Cloud, grantIssuer: GrantIssuer) {
        self.cloud = cloud
        self.grantIssuer = grantIssuer
    }

    /// The lifetime of an authorization code in seconds (RFC 6749 section 4.1.2 recommends at most ten minutes).
    package static let codeLifetime = 300

    /// Issues an authorization code, which can be redeemed once.
    /// - Parameters:
    ///   - binding: the values that the redemption must match, such as redirect URI and code challenge.
    ///   - lifetime: seconds.
    /// - Throws: `GrantRefusal`, or an error of the random generator or the database.
    package func code(_ approval: Approval, binding: JSONObject, lifetime: Int = codeLifetime) async throws -> String {
        let code = try OpaqueToken.code(of: approval.provider.kind)
        let grant = grant(.code, approval, lifetime: lifetime, binding)
        try await grantIssuer.keep(grant, under: code)
        return code
    }

    /// Issues an opaque access token in the provider's own format.
    /// - Parameters:
    ///   - lifetime: seconds; the provider's default if absent.
    ///   - details: what the grant stores beside the approval.
    /// - Throws: an error of the random generator or the database.
    package func accessToken(_ approval: Approval, lifetime: Int? = nil, details: JSONObject = [:]) async throws -> String {
        var issued = try newAccessToken(approval, lifetime: lifetime)
        for (name, value) in details.members { issued.grant.details[name] = value }
        try await grantIssuer.keep(issued.grant, under: issued.token)
        return issued.token
    }

    /// Issues a refresh token.
    /// - Parameter lifetime: seconds; the provider's default if absent.
    /// - Throws: an error of the random generator or the database.
    package func refreshToken(_ approval: Approval, lifetime: Int? = nil) async throws -> String {
        let issued = try newRefreshToken(approval, lifetime: lifetime)
        try await grantIssuer.keep(issued.grant, under: issued.token)
        return issued.token
    }

    /// Returns an opaque access token whose grant the caller must store.
    /// - Throws: an error of the random generator.
    package func newAccessToken(_ approval: Approval, lifetime: Int? = nil) throws -> IssuedGrant {
        let token = try OpaqueToken.accessToken(of: approval.provider.kind, client: approval.client)
        return IssuedGrant(grant(.accessToken, approval, lifetime: lifetime ?? approval.accessTokenLifetime), token: token)
    }

    /// Returns an opaque access token of an OpenID Connect issuer that contains its sealed grant, so that nothing is stored.
    /// - Throws: an error of the random generator.
    package func sealedAccessToken(_ approval: Approval) throws -> String {
        try grantIssuer.seal(grant(.accessToken, approval, lifetime: approval.accessTokenLifetime))
    }

    /// Returns a refresh token whose grant the caller must store.
    /// - Throws: an error of the random generator.
    package func newRefreshToken(_ approval: Approval, lifetime: Int? = nil) throws -> IssuedGrant {
        let kind = approval.provider.kind
        let token = try OpaqueToken.refreshToken(of: kind)
        return IssuedGrant(grant(.refreshToken, approval, lifetime: lifetime ?? kind.descriptor.refreshTokenLifetime), token: token)
    }

    /// Returns the key of a provider that signs what is issued to a client for a person.
    /// - Throws: `GrantRefusal` if one of them was removed, or an error of the key's storage.
    package func signingKey(
        of provider: IdentityProvider, algorithm: SignatureAlgorithm, client: Client? = nil, person: Person? = nil
    ) async throws -> SigningKey {
        let key = try await cloud.signingKey(for: provider.name, algorithm: algorithm)
        try grantIssuer.check(provider: provider.name, client: client?.id ?? "", person: person?.name ?? "")
        return key
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
