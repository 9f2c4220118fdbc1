package import Tokens
package import WireFormats

/// An identity provider: an OpenID Connect issuer of this server, or an emulated social provider.
package struct IdentityProvider: Sendable, Codable {
    /// The protocol of the provider.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case openIDConnect, facebook, amazon, google, github
    }

    /// The format of access tokens that an OpenID Connect issuer issues for people.
    package enum AccessTokenFormat: String, Sendable, Codable, CaseIterable {
        /// Random characters that only the issuer can resolve.
        case opaque
        /// Signed claims that a resource server can verify itself (RFC 9068).
        case jwt
    }

    /// The last part of `/idp/<name>/`; for social providers, the name of the provider.
    package var name: String
    /// The kind of identity provider.
    package var kind: Kind
    /// The canonical issuer `https://…` in ARNs, condition keys and trust policies (OpenID Connect only; Google's is fixed). Tokens may
    /// contain the host of the token request instead.
    package var issuer: String?
    /// The registered clients, which are stored as records of their own.
    package var clients: Roster<Client> = []
    /// The people who can log in, who are stored as records of their own.
    package var people: Roster<Person> = []
    /// The lifetime of ID tokens and access tokens, in seconds.
    package var tokenLifetime: Int
    /// The format of access tokens for people; `nil` for ``AccessTokenFormat/opaque``.
    package var accessTokenFormat: AccessTokenFormat?
    /// The token that client registration requires (RFC 7591 section 3); `nil` if registration is open.
    package var initialAccessToken: String?
    /// Whether DPoP proofs must contain a nonce that the issuer sent (RFC 9449 section 8); `nil` means no.
    package var requiresDPoPNonce: Bool?
    /// The APIs that access tokens are for.
    @Filled package var apis: [ResourceServer] = []
    /// What happens to requested scopes that the provider does not know; `nil` for ``UnknownScopes/refuse``.
    package var unknownScopes: UnknownScopes?
    /// The origins of the issuer and its endpoints; `nil` for the origin of the request.
    package var origins: IssuerOrigins?
    /// The default signing algorithm, for clients that do not request one; `nil` for RS256.
    package var signingAlgorithm: SignatureAlgorithm?
    /// The product whose paths and claims the issuer has; `nil` for Virga's own.
    package var product: IssuerProduct?
    /// The settings of the issuer as a SAML identity provider for the same people; `nil` if it is none.
    package var saml: SAMLIdentityProvider?
    /// The jobs of GitHub Actions and other services that get ID tokens; `nil` for none.
    package var jobs: [WorkflowJob]?
    /// The roles and groups of the issuer as a Keycloak realm; `nil` for those that every realm has.
    package var keycloak: KeycloakRealm?
    /// Whether people may create an account at the realm's login page; `nil` means no.
    package var allowsRegistration: Bool?
    /// Whether a refresh token can be used only once; `nil` for yes at the issuer's own paths, and no at those of a Keycloak realm.
    package var revokesRefreshTokens: Bool?

    private enum CodingKeys: String, CodingKey {
        case name, kind, issuer, tokenLifetime, accessTokenFormat, initialAccessToken, requiresDPoPNonce, apis, unknownScopes, origins
        case signingAlgorithm, product, saml, jobs, keycloak, allowsRegistration, revokesRefreshTokens
    }

    package init(name: String, kind: Kind, issuer: String?, clients: [Client], people: [Person], tokenLifetime: Int) {
        self.name = name
        self.kind = kind
        self.issuer = issuer
        self.clients = Roster(clients)
        self.people = Roster(people)
        self.tokenLifetime = tokenLifetime
    }

    /// Returns the signing algorithm of ID tokens for a client (OpenID Connect Dynamic Client Registration 1.0 section 2).
    package func signingAlgorithm(for client: Client) -> SignatureAlgorithm {
        client.metadata.idTokenSignedResponseAlg.flatMap(SignatureAlgorithm.init(rawValue:)) ?? signingAlgorithm ?? .rs256
    }

    /// All algorithms that the provider currently signs with, given its clients: its own algorithm first.
    package var signingAlgorithms: [SignatureAlgorithm] {
        let own = signingAlgorithm ?? .rs256
        return [own] + SignatureAlgorithm.published.filter { $0 != own && clients.count(.algorithm(TextKey($0.rawValue))) > 0 }
    }

    /// Returns the client with an identifier, or `nil` if there is none.
    package func client(_ id: String) -> Client? { clients[id] }

    /// Returns the person with a user name, or `nil` if there is none.
    package func person(named name: String) -> Person? { people[name] }

    /// The issuer without its scheme, as in ARNs and condition keys (IAM User Guide, "Available keys for OIDC federation").
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
    /// The client secret; `nil` for a public client, which must use PKCE.
    package var secret: String?
    /// An older secret that token requests may still have, as after a rotation; `nil` for none.
    package var formerSecret: String?
    /// The name that the consent page shows.
    package var name: String
    /// The redirect URIs, which are matched exactly (RFC 9700 section 4.1.1).
    package var redirectURIs: [String]
    /// Login with Amazon's `amzn1.application.…`, the value of `www.amazon.com:app_id`; `nil` for other providers.
    package var applicationID: String?
    /// The grant types that the client may use in addition to codes and refresh tokens; `nil` for none.
    package var furtherGrants: [FurtherGrant]?
    /// Further settings from the client's registration.
    @Filled package var metadata: ClientMetadata
    /// Whether the client registered itself without an initial access token (RFC 7591 section 3); `nil` means no. Such a client may
    /// neither assert the identities of users nor exchange tokens for other audiences.
    package var isOpenlyRegistered: Bool?
    /// The settings of a Facebook app; `nil` for the defaults.
    package var facebook: FacebookApp?
    /// Claims that tokens for the client get; `nil` for none.
    package var claims: [ClaimMapping]?
    /// Claims of the client itself, for tokens that it gets for itself; `nil` for none.
    package var attributes: JSONObject?
    /// The query parameter of redirect URIs with custom schemes that receives the token; `nil` for responses as in OpenID Connect.
    package var tokenParameter: String?
    /// What a Keycloak realm knows of the client besides; `nil` for the defaults.
    package var keycloak: KeycloakClient?
    /// Whether users must agree to the client's scopes; `nil` for yes at the issuer's own paths, and no at those of a Keycloak realm.
    package var requiresConsent: Bool?
    /// The origins whose pages may read responses at the paths of a Keycloak realm: `*` for all, `+` for those of the redirect URIs;
    /// `nil` for `+`.
    package var webOrigins: [String]?

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

    /// Returns whether the client may use a grant type beyond the usual ones.
    package func mayUse(_ grant: FurtherGrant) -> Bool {
        if grant == .jwtBearer, isOpenlyRegistered == true { return false }
        return metadata.grantTypes?.contains(grant.rawValue) ?? furtherGrants?.contains(grant) ?? false
    }

    /// Returns whether the client may use codes or refresh tokens. A client without `grant_types` may.
    package func mayUse(_ grant: UsualGrant) -> Bool { metadata.grantTypes?.contains(grant.rawValue) ?? true }

    /// Whether the client has no credentials (RFC 6749 section 2.1).
    package var isPublic: Bool { secret == nil && metadata.tokenEndpointAuthMethod != "private_key_jwt" }
}

/// A grant type that clients may use by default. The raw value is its `grant_type`.
package enum UsualGrant: String, Sendable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
}

/// A grant type without an authorization code. The raw value is its `grant_type`. RFC 9700 advises against `password`; test suites use it.
package enum FurtherGrant: String, Sendable, Codable, CaseIterable {
    /// The client requests a token for itself (RFC 6749 section 4.4). Public clients cannot use it.
    case clientCredentials = "client_credentials"
    /// The client sends a person's user name and password (RFC 6749 section 4.3).
    case password
    /// The person grants access on another device (RFC 8628).
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    /// The client exchanges one token for another (RFC 8693).
    case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    /// The client sends an assertion that it signed (RFC 7523 section 2.1).
    case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
}

/// A person who can log in at an identity provider.
package struct Person: Hashable, Sendable, Codable {
    /// The user name at the login page.
    package var name: String
    /// The provider's identifier of the person: `sub`, Facebook's and GitHub's `id` or Amazon's `user_id`.
    package var subject: String
    /// The password; empty if only its hash is known, or if the person has none.
    package var password: String
    /// The hash of the password, if only that is known.
    package var passwordHash: PasswordHash?
    /// Further claims: `name`, `email`, and others from the seed. ID tokens and userinfo include them by scope.
    package var claims: JSONObject
    /// Whether the provider refuses the person; `nil` means no.
    package var isDisabled: Bool?
    /// The state of a Facebook account; `nil` for one without restrictions.
    package var facebook: FacebookAccount?
    /// The state of the person in a Keycloak realm; `nil` for a person without roles, groups and attributes.
    package var keycloak: KeycloakAccount?

    package init(name: String, subject: String, password: String, claims: JSONObject) {
        self.name = name
        self.subject = subject
        self.password = password
        self.claims = claims
    }

    /// Whether the person can log in, and keeps what was issued before.
    package var isEnabled: Bool {
        get { isDisabled != true }
        set { isDisabled = newValue ? nil : true }
    }
}
