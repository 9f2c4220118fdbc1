package import Tokens
package import WireFormats

/// A request for a token without a login: one that an application would have after it, or one with a single defect.
package struct TokenOrder: Sendable {
    /// The kinds of token that can be requested.
    package enum Kind: String, Sendable, CaseIterable {
        case idToken = "id_token"
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case code
    }

    /// The provider's name.
    package var provider: String
    /// The person's login, ``Person/name``.
    package var user: String
    /// The client's identifier; the provider's first client if absent.
    package var client: String?
    /// The kind of token; if absent, an ID token of providers that issue them, and an access token of others.
    package var kind: Kind?
    /// Whether an access token must be a JWT: one of the API or the issuer, if their access tokens are JWTs, otherwise one like Keycloak's.
    package var isSigned = false
    /// The issuer as clients spell it, which must be that of the provider. Access tokens of a realm's issuer are like Keycloak's.
    /// If absent, it is below the origin of the request.
    package var issuer: String?
    /// Claims of a signed token that are added or replaced.
    package var claims: JSONObject = [:]
    /// Claims of a signed token that are removed.
    package var missingClaims: [String] = []
    /// The lifetime in seconds; the provider's default if absent.
    package var lifetime: Int?
    /// The scopes as the provider names them; its default ones if absent.
    package var scopes: [String]?
    /// The value of the claim `nonce`.
    package var nonce: String?
    /// The redirect URI of a code; the client's first one if absent.
    package var redirectURI: String?
    /// The PKCE challenge of a code, and its method (RFC 7636 section 4.3).
    package var codeChallenge: String?
    /// How the code challenge is derived from the verifier: `S256` or `plain`. (RFC 7636 section 4.3.)
    package var codeChallengeMethod = "S256"
    /// The signature algorithm of a signed token; the one that the client registered if absent.
    package var algorithm: SignatureAlgorithm?
    /// Header members of a signed token that replace its own; null removes a member.
    package var header: JSONObject = [:]
    /// The defect of the token, for tests of rejections.
    package var fault: TokenFault?

    package init(provider: String, user: String) {
        self.provider = provider
        self.user = user
    }

    /// Whether the request has a property that only a signed token can have.
    var needsSignature: Bool {
        if let fault, fault != .expired, fault != .revoked { return true }
        return !claims.isEmpty || !missingClaims.isEmpty || algorithm != nil || !header.isEmpty
    }

    /// Whether the issuer has the path of a realm of Keycloak.
    var isOfRealm: Bool {
        guard let origin = issuer.flatMap({ Origin(url: $0) }) else { return false }
        return IssuerPaths.realm(in: String(origin.path)) != nil
    }

    var alteration: TokenAlteration {
        TokenAlteration(algorithm: algorithm, header: header, claims: claims, missing: missingClaims, fault: fault)
    }
}
