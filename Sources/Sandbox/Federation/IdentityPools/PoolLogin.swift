package import Directory
package import WireFormats

/// A login that an identity pool accepts, after its token was verified.
package struct PoolLogin: Sendable {
    /// The login of the identity.
    package let login: PoolIdentity.Login
    /// The names by which role mappings and tag maps can mean the provider, the most exact one first.
    package let names: [String]
    /// The client that the token was issued for.
    package let audience: String
    /// The claims for rules and tags; for a SAML provider, the attributes.
    package let claims: JSONObject
    /// What the claim `amr` of the pool's tokens has of the login, after `authenticated`.
    package let methods: [String]
    /// The roles that a SAML provider names; `nil` for other providers.
    package var roles: [String]?

    package init(
        login: PoolIdentity.Login, names: [String], audience: String, claims: JSONObject, methods: [String], roles: [String]? = nil
    ) {
        self.login = login
        self.names = names
        self.audience = audience
        self.claims = claims
        self.methods = methods
        self.roles = roles
    }

    /// The login of a user whom the developer's own server has authenticated.
    /// (The methods are those of published tokens.)
    package init(developerUser user: String, of provider: String, in pool: IdentityPool) {
        self.init(
            login: PoolIdentity.Login(provider: provider, subject: user), names: [provider], audience: pool.id,
            claims: ["iss": .string(provider), "aud": .string(pool.id), "sub": .string(user)],
            methods: [provider, "\(provider):\(pool.id):\(user)"])
    }
}

/// The reason why an identity pool rejects a login. The face adds the message.
package enum PoolLoginError: Error, Equatable, Sendable {
    /// The pool does not accept the provider.
    case unsupportedProvider
    /// The pool accepts the provider, but not the client of the token.
    case unsupportedClient(WebIdentityError)
    /// The issuer of the token is not the key of the login.
    case foreignIssuer
    /// The token is not signed by a key of its issuer.
    case notVerified(WebIdentityError?)
    /// The text is not an ID token.
    case notAToken
    case missingClaim(String)
    /// Another claim is wrong.
    case rejectedToken(WebIdentityError)
    /// Both times are in seconds.
    case expired(now: Int64, expiry: Int64)
    /// A token of another issuer is presented as one of the pools themselves.
    case notOwnToken
    /// A token of the pools themselves is presented where it is not accepted.
    case ownToken
    /// The social provider with this key of logins does not accept the token.
    case rejectedByProvider(String)
    /// The response of a SAML provider is not valid.
    case rejectedResponse(SAMLIdentityError)
    /// The provider is not served.
    case absentProvider(String)
}
