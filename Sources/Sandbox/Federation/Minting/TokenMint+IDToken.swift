import Cloud
package import Directory
import Tokens
package import WireFormats

extension TokenMint {
    /// Returns a signed ID token (OpenID Connect Core 1.0 section 2), signed by the provider's current key for the client's algorithm.
    ///
    /// - Parameters:
    ///   - issuer: the issuer as the client spells it; Google's is always the same.
    ///   - accessToken: the access token that `at_hash` covers, if one is issued beside it.
    ///   - code: the code that `c_hash` covers, if one is issued beside it.
    ///   - state: the state that `s_hash` covers, if the token comes from the authorization endpoint (Financial-grade API Security Profile
    ///     1.0, part 2, section 5.1.1).
    ///   - claims: claims that are added or replaced.
    ///   - lifetime: seconds; the provider's default if absent.
    /// - Throws: `GrantRefusal`, or an error of the signing key's storage or of the signature.
    package func idToken(
        _ approval: Approval, issuer: String, accessToken: String? = nil, code: String? = nil, state: String? = nil,
        claims further: JSONObject = [:], lifetime: Int? = nil
    ) async throws -> String {
        let algorithm = approval.provider.signingAlgorithm(for: approval.client)
        let claims = try claims(
            of: approval, issuer: issuer, accessToken: accessToken, code: code, state: state, further, lifetime: lifetime,
            algorithm: algorithm)
        return try await signed(claims, at: approval.provider, for: approval.client, person: approval.person)
    }

    /// Returns claims about a person, signed as the client has registered for its ID tokens: by the provider's current key, or with the
    /// client's secret (OpenID Connect Core 1.0 section 10.1; Back-Channel Logout 1.0 section 2.6 for logout tokens).
    /// - Parameter type: the `typ` of the header; `nil` for `JWT`.
    /// - Throws: `GrantRefusal`, or an error of the signing key's storage or of the signature.
    package func signed(
        _ claims: JSONObject, at provider: IdentityProvider, for client: Client, person: Person, type: String? = nil
    ) async throws -> String {
        let algorithm = provider.signingAlgorithm(for: client)
        if let secret = client.idTokenSecret {
            try grantIssuer.check(provider: provider.name, client: client.id, person: person.name)
            return try JSONWebToken.sign(header: ["typ": .string(type ?? "JWT")], claims: claims, secret: secret, algorithm: algorithm)
        }
        let key = try await signingKey(of: provider, algorithm: algorithm, client: client, person: person)
        guard let type else { return try JSONWebToken.sign(claims: claims, key: key) }
        return try JSONWebToken.sign(header: ["typ": .string(type)], claims: claims, key: key)
    }

    /// Returns the claims of an ID token. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func claims(
        of approval: Approval, issuer: String, accessToken: String?, code: String?, state: String?, _ further: JSONObject, lifetime: Int?,
        algorithm: SignatureAlgorithm
    ) throws -> JSONObject {
        let provider = approval.provider
        let isGoogle = provider.kind == .google
        let now = cloud.clock.now.seconds
        var claims: JSONObject = ["iss": .string(isGoogle ? provider.issuer ?? issuer : issuer)]
        if isGoogle { claims["azp"] = .string(approval.client.id) }
        claims["aud"] = .string(approval.client.id)
        claims["sub"] = .string(approval.subject)
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + Int64(lifetime ?? provider.tokenLifetime))
        // Google's tokens have no `auth_time`.
        if !isGoogle { claims["auth_time"] = .integer(cloud.clock.effective(approval.authenticated).seconds) }
        if let nonce = approval.nonce { claims["nonce"] = .string(nonce) }
        if let accessToken { claims["at_hash"] = .string(JSONWebToken.accessTokenHash(accessToken, algorithm: algorithm)) }
        if let code { claims["c_hash"] = .string(JSONWebToken.codeHash(code, algorithm: algorithm)) }
        if let state { claims["s_hash"] = .string(JSONWebToken.codeHash(state, algorithm: algorithm)) }
        if let session = approval.sessionID, !isGoogle { claims["sid"] = .string(session) }
        if let context = approval.authenticationContext { claims["acr"] = .string(context) }
        if approval.claims.idToken.contains("amr") { claims["amr"] = ["pwd"] }
        for (name, value) in approval.person.claims(for: approval.scopes, and: approval.claims.idToken).members { claims[name] = value }
        try provider.product?.complete(&claims, of: approval)
        for (name, value) in approval.mappedClaims(in: .idToken).members { claims[name] = value }
        for (name, value) in further.members { claims[name] = value }
        return claims
    }
}
