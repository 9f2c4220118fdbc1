package import Tokens
package import WireFormats

/// Where people log in: an OpenID Connect issuer of ours, or the lookalike of a social provider.
package struct IdentityProvider: Sendable, Codable {
    /// Which wire format the provider speaks.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case openIDConnect, facebook, amazon, google
    }

    /// What an OpenID Connect issuer's access tokens for people are made of.
    package enum AccessTokenFormat: String, Sendable, Codable, CaseIterable {
        /// Random characters that mean something to the issuer alone.
        case opaque
        /// Signed claims that a resource server reads by itself (RFC 9068).
        case jwt
    }

    /// The last part of `/idp/<name>/`; for the social ones the name of the provider.
    package var name: String
    /// The kind of identity provider.
    package var kind: Kind
    /// The canonical issuer that ARNs, condition keys and trust policies name, `https://…` (OpenID Connect only; Google's
    /// is fixed). Tokens may spell it by the host that they were asked for at.
    package var issuer: String?
    /// The applications that are registered.
    package var clients: [Client]
    /// The people who can log in.
    package var people: [Person]
    /// Seconds that ID and access tokens live.
    package var tokenLifetime: Int
    /// What the access tokens of people are; absent for ``AccessTokenFormat/opaque``.
    package var accessTokenFormat: AccessTokenFormat?
    /// What a client must bring to register itself (RFC 7591 section 3); if it is absent, everybody may.
    package var initialAccessToken: String?
    /// Whether proofs of possession must repeat a nonce that the issuer gives out (RFC 9449 section 8); absent for no.
    package var requiresDPoPNonce: Bool?
    /// Under which names the issuer and its endpoints are reached; absent for those that the asker used.
    package var origins: IssuerOrigins?
    /// What the issuer signs with for clients that ask for nothing else; absent for RS256.
    package var signingAlgorithm: SignatureAlgorithm?
    /// What the issuer does as a SAML identity provider, for the same people; absent where it is none.
    package var saml: SAMLIdentityProvider?

    package init(name: String, kind: Kind, issuer: String?, clients: [Client], people: [Person], tokenLifetime: Int) {
        self.name = name
        self.kind = kind
        self.issuer = issuer
        self.clients = clients
        self.people = people
        self.tokenLifetime = tokenLifetime
    }

    /// What ID tokens for a client are signed with (OpenID Connect Dynamic Client Registration 1.0 section 2).
    package func signingAlgorithm(for client: Client) -> SignatureAlgorithm {
        client.metadata.idTokenSignedResponseAlg.flatMap(SignatureAlgorithm.init(rawValue:)) ?? signingAlgorithm ?? .rs256
    }

    /// What the provider signs with, as its clients are now: its own algorithm first.
    package var signingAlgorithms: [SignatureAlgorithm] {
        let asked = Set(clients.flatMap { [$0.metadata.idTokenSignedResponseAlg, $0.metadata.userinfoSignedResponseAlg] })
        let own = signingAlgorithm ?? .rs256
        return [own] + SignatureAlgorithm.published.filter { $0 != own && asked.contains($0.rawValue) }
    }

    /// The client of an identifier, or `nil` if there is none.
    package func client(_ id: String) -> Client? { clients.first { $0.id == id } }

    /// The person of a user name, or `nil` if there is none.
    package func person(named name: String) -> Person? { people.first { $0.name == name } }

    /// The issuer without its scheme, as ARNs and condition keys spell it (IAM User Guide, "Available keys for OIDC federation").
    package var issuerKeyPrefix: String? {
        issuer.map { issuer in
            let scheme = "https://".utf8
            return issuer.utf8.starts(with: scheme) ? String(Substring(issuer.utf8.dropFirst(scheme.count))) : issuer
        }
    }
}

/// An application that is registered at an identity provider: a relying party, OAuth client or Facebook app.
package struct Client: Hashable, Sendable, Codable {
    /// The client identifier; Facebook's app id.
    package var id: String
    /// Absent for a public client, which must then prove itself by PKCE.
    package var secret: String?
    /// What the consent page calls it.
    package var name: String
    /// Matched exactly (RFC 9700 section 4.1.1).
    package var redirectURIs: [String]
    /// Login with Amazon's `amzn1.application.…`, which `www.amazon.com:app_id` carries; absent elsewhere.
    package var applicationID: String?
    /// What the client may ask tokens for beside codes and refresh tokens; absent for nothing.
    package var furtherGrants: [FurtherGrant]?
    /// Further settings from the client's registration.
    @Filled package var metadata: ClientMetadata
    /// What the settings of a Facebook app say; absent for the usual ones.
    package var facebook: FacebookApp?
    /// The query parameter in which redirect URIs of custom schemes receive the token; absent for answers as OpenID Connect has them.
    package var tokenParameter: String?

    package init(
        id: String, secret: String?, name: String, redirectURIs: [String], applicationID: String?,
        furtherGrants: [FurtherGrant]? = nil, metadata: ClientMetadata = .fill
    ) {
        self.id = id
        self.secret = secret
        self.name = name
        self.redirectURIs = redirectURIs
        self.applicationID = applicationID
        self.furtherGrants = furtherGrants
        self.metadata = metadata
    }

    /// Whether the client may use a grant type beyond the usual ones.
    package func mayUse(_ grant: FurtherGrant) -> Bool {
        metadata.grantTypes?.contains(grant.rawValue) ?? furtherGrants?.contains(grant) ?? false
    }

    /// Whether the client may redeem codes or refresh tokens, which those may that do not say otherwise.
    package func mayUse(_ grant: UsualGrant) -> Bool { metadata.grantTypes?.contains(grant.rawValue) ?? true }

    /// Whether it has nothing to prove itself by (RFC 6749 section 2.1).
    package var isPublic: Bool { secret == nil && metadata.tokenEndpointAuthMethod != "private_key_jwt" }
}

/// A way to a token that every client has unless it says otherwise, by its `grant_type`.
package enum UsualGrant: String, Sendable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
}

/// A way to a token without a code of the login page, by its `grant_type`. RFC 9700 advises against the second; suites use it.
package enum FurtherGrant: String, Sendable, Codable, CaseIterable {
    /// The client for itself (RFC 6749 section 4.4); not for public clients.
    case clientCredentials = "client_credentials"
    /// With a person's user name and password (RFC 6749 section 4.3).
    case password
    /// The person agrees on another device (RFC 8628).
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    /// A token for another one (RFC 8693).
    case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    /// With an assertion that the client signed (RFC 7523 section 2.1).
    case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
}

/// Somebody who can log in at a provider.
package struct Person: Hashable, Sendable, Codable {
    /// What is typed at the login page.
    package var name: String
    /// The provider's identifier of the person: `sub`, Facebook's `id`, Amazon's `user_id`.
    package var subject: String
    /// The password.
    package var password: String
    /// Further claims: `name`, `email`, and whatever the seed adds. They appear in ID tokens and at userinfo by scope.
    package var claims: JSONObject
    /// What Facebook knows of the account beyond that; absent for a good one.
    package var facebook: FacebookAccount?

    package init(name: String, subject: String, password: String, claims: JSONObject) {
        self.name = name
        self.subject = subject
        self.password = password
        self.claims = claims
    }
}
