package import Tokens
package import WireFormats

/// What is asked for without a login: what an application would hold after it, or something that is wrong in one way.
package struct TokenOrder: Sendable {
    /// The kinds of token that can be ordered.
    package enum Kind: String, Sendable, CaseIterable {
        case idToken = "id_token"
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case code
    }

    /// The provider's name.
    package var provider: String
    /// ``Person/name``.
    package var user: String
    /// The client's identifier; the provider's first client where absent.
    package var client: String?
    /// ID tokens of those who make them, access tokens of the others, where absent.
    package var kind: Kind?
    /// Whether an access token is to be a JWT, as those of Keycloak's paths are.
    package var isSigned = false
    /// Replace those of a signed token, or add to them.
    package var claims: JSONObject = [:]
    /// Claims that a signed token is to lack.
    package var missingClaims: [String] = []
    /// Seconds; the provider's usual ones where absent.
    package var lifetime: Int?
    /// In the provider's own words; the usual ones where absent.
    package var scopes: [String]?
    /// The value of the claim `nonce`.
    package var nonce: String?
    /// What a code is bound to; the client's first redirect URI where absent.
    package var redirectURI: String?
    /// The PKCE challenge of a code, and its method (RFC 7636 section 4.3).
    package var codeChallenge: String?
    /// How the code challenge is derived from the verifier: `S256` or `plain`. (RFC 7636 section 4.3.)
    package var codeChallengeMethod = "S256"
    /// What a signed token is signed with; what the client asks for where absent.
    package var algorithm: SignatureAlgorithm?
    /// Members of a signed token's header that replace its own; null takes one away.
    package var header: JSONObject = [:]
    /// What is wrong with the token, for tests of refusals.
    package var fault: TokenFault?

    package init(provider: String, user: String) {
        self.provider = provider
        self.user = user
    }

    /// Whether something is asked that only a signed token can have.
    var needsSignature: Bool {
        if let fault, fault != .expired, fault != .revoked { return true }
        return !claims.isEmpty || !missingClaims.isEmpty || algorithm != nil || !header.isEmpty
    }

    var alteration: TokenAlteration {
        TokenAlteration(algorithm: algorithm, header: header, claims: claims, missing: missingClaims, fault: fault)
    }
}
