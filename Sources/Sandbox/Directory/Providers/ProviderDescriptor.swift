import WireFormats

/// What is known of a kind of identity provider apart from its endpoints. Each kind has one row.
package struct ProviderDescriptor: Sendable {
    /// The token that AWS STS and other relying parties accept.
    package enum AcceptedToken: Sendable {
        /// A signed ID token, which is verified with the provider's published keys.
        case idToken
        /// An opaque access token. STS calls an operation of the provider, which the request names by its `ProviderId`.
        case accessToken(providerID: String, operation: String)
        /// An opaque access token, which only applications accept: STS does not know the provider. They call an operation of the provider.
        case applicationToken(operation: String)
    }

    /// The name of the product.
    package var title: String
    /// The name on the provider's pages; `nil` for that of the issuer.
    package var pageName: String?
    /// The accent color of the provider's pages in CSS; `nil` for the usual one.
    package var accent: String?
    /// The host names of the real service, in lower case.
    package var hosts: [String] = []
    /// The token that relying parties accept.
    package var acceptedToken: AcceptedToken
    /// The issuer in ID tokens; `nil` if the seed configures it, or if there are no ID tokens.
    package var issuer: String?
    /// The `Federated` principal of trust policies and the prefix of condition keys; `nil` for the issuer without its scheme, if there is one.
    /// (IAM User Guide, "Available keys for AWS OIDC federation".)
    package var principal: String?
    /// The condition key of the client, without its prefix.
    package var audienceKey = "aud"
    /// The condition key of the person, without its prefix.
    package var subjectKey = "sub"
    /// The form of authorization codes.
    package var code: OpaqueTokenForm
    /// The form of opaque access tokens.
    package var accessToken: OpaqueTokenForm
    /// The form of refresh tokens.
    package var refreshToken: OpaqueTokenForm
    /// The default lifetime of ID tokens and access tokens, in seconds.
    package var tokenLifetime = 3600
    /// The lifetime of refresh tokens, in seconds; 0 if the provider issues none.
    package var refreshTokenLifetime: Int
    /// All scopes with which a client learns about a person.
    package var scopes: [String]
    /// The scopes with which an application requests a login.
    package var loginScope: String
    /// The path of the authorization endpoint, below the provider's base URL.
    package var authorizationPath: String
    /// The path of the token endpoint.
    package var tokenPath: String
    /// The path that returns facts about the user of an access token.
    package var profilePath: String

    /// Whether the provider has keys, with which it signs ID tokens.
    package var signsIDTokens: Bool {
        switch acceptedToken {
        case .idToken: true
        case .accessToken, .applicationToken: false
        }
    }

    /// Whether AWS STS exchanges a token of the provider for credentials.
    package var isKnownToSTS: Bool {
        switch acceptedToken {
        case .idToken, .accessToken: true
        case .applicationToken: false
        }
    }

    /// The `ProviderId` of requests to AWS STS; `nil` for ID tokens, and for a provider that STS does not know.
    package var providerID: String? {
        switch acceptedToken {
        case .idToken, .applicationToken: nil
        case .accessToken(let providerID, _): providerID
        }
    }

    /// The provider's operation that a relying party calls to verify a token.
    package var verifyingOperation: String {
        switch acceptedToken {
        case .idToken: "KeySet"
        case .accessToken(_, let operation), .applicationToken(let operation): operation
        }
    }
}

/// The form of a random token.
package struct OpaqueTokenForm: Sendable {
    /// The random characters of a token.
    package enum Body: Sendable {
        /// Letters and digits.
        case base62(Int)
        /// This number of bytes in Base64 for URLs.
        case base64url(bytes: Int)
    }

    /// The characters with which the token begins.
    package var prefix = ""
    /// The random characters.
    package var body = Body.base64url(bytes: 32)
    /// Whether the token ends with a mark of the client, by which a token without a record can be attributed.
    package var hasClientMark = false
}

extension IdentityProvider.Kind {
    /// The issuer of Google's ID tokens.
    package static let googleIssuer = "https://accounts.google.com"
    /// Google as a principal, and the older spelling of its issuer.
    package static let googlePrincipal = "accounts.google.com"

    /// Creates the kind of the provider with a name: each social provider has the name of its kind.
    package init(providerName: String) {
        if let kind = Self(rawValue: providerName), kind.isSocial { self = kind } else { self = .openIDConnect }
    }

    /// Creates the kind that a `ProviderId` names; `nil` if STS does not know it.
    package init?(providerID: String) {
        guard let kind = Self.allCases.first(where: { $0.descriptor.providerID == providerID }) else { return nil }
        self = kind
    }

    /// Creates the kind that a `Federated` principal names; `nil` for other principals.
    package init?(principal: String) {
        guard let kind = Self.allCases.first(where: { $0.descriptor.principal == principal }) else { return nil }
        self = kind
    }

    /// Whether the provider emulates a service of the Internet. It has the name of its kind, and a seed configures only its clients, its
    /// people and a lifetime. The other providers are issuers of a seed.
    package var isSocial: Bool {
        switch self {
        case .openIDConnect: false
        case .facebook, .amazon, .google, .github: true
        }
    }

    /// The row of the kind.
    package var descriptor: ProviderDescriptor {
        switch self {
        case .openIDConnect: .openIDConnect
        case .facebook: .facebook
        case .amazon: .amazon
        case .google: .google
        case .github: .github
        }
    }
}

extension ProviderDescriptor {
    /// The lifetime of tokens that are valid until they are revoked.
    private static let unlimited = 10 * 365 * 86_400
    private static let thirtyDays = 30 * 86_400

    fileprivate static let openIDConnect = ProviderDescriptor(
        title: "OpenID Connect", acceptedToken: .idToken, code: OpaqueTokenForm(), accessToken: OpaqueTokenForm(),
        refreshToken: OpaqueTokenForm(), refreshTokenLifetime: thirtyDays, scopes: ["openid", "profile", "email", "address", "phone"],
        loginScope: "openid profile", authorizationPath: "/authorize", tokenPath: "/token", profilePath: "/userinfo")

    fileprivate static let facebook = ProviderDescriptor(
        title: "Facebook", pageName: "Facebook", accent: "#2b5aa8",
        hosts: [
            "facebook.com", "www.facebook.com", "limited.facebook.com", "m.facebook.com", "graph.facebook.com", "developers.facebook.com",
            "platform-lookaside.fbsbx.com",
        ],
        acceptedToken: .accessToken(providerID: "graph.facebook.com", operation: "Me"), principal: "graph.facebook.com",
        audienceKey: "app_id", subjectKey: "id", code: OpaqueTokenForm(prefix: "AQ", body: .base62(160)),
        accessToken: OpaqueTokenForm(prefix: "EAA", body: .base62(160), hasClientMark: true), refreshToken: OpaqueTokenForm(),
        tokenLifetime: 5400, refreshTokenLifetime: 0, scopes: ["public_profile", "email"], loginScope: "public_profile",
        authorizationPath: "/dialog/oauth", tokenPath: "/oauth/access_token", profilePath: "/me")

    /// Codes have 18 to 128 characters. Access tokens have at least 350, which reveals fields that are too short.
    fileprivate static let amazon = ProviderDescriptor(
        title: "Login with Amazon", pageName: "Amazon", accent: "#8a4b00", hosts: ["www.amazon.com", "amazon.com", "api.amazon.com"],
        acceptedToken: .accessToken(providerID: "www.amazon.com", operation: "TokenInfo"), principal: "www.amazon.com",
        audienceKey: "app_id", subjectKey: "user_id", code: OpaqueTokenForm(prefix: "AN", body: .base62(24)),
        accessToken: OpaqueTokenForm(prefix: "Atza|", body: .base64url(bytes: 270)),
        refreshToken: OpaqueTokenForm(prefix: "Atzr|", body: .base64url(bytes: 270)), refreshTokenLifetime: unlimited,
        scopes: ["profile"], loginScope: "profile", authorizationPath: "/ap/oa", tokenPath: "/auth/o2/token",
        profilePath: "/user/profile")

    fileprivate static let google = ProviderDescriptor(
        title: "Google", pageName: "Google", accent: "#1d6b3c",
        hosts: [
            "accounts.google.com", "oauth2.googleapis.com", "openidconnect.googleapis.com", "www.googleapis.com", "www.google.com",
            "myaccount.google.com", "google.com",
        ], acceptedToken: .idToken, issuer: IdentityProvider.Kind.googleIssuer, principal: IdentityProvider.Kind.googlePrincipal,
        code: OpaqueTokenForm(prefix: "4/0A", body: .base64url(bytes: 52)),
        accessToken: OpaqueTokenForm(prefix: "ya29.", body: .base64url(bytes: 120)),
        refreshToken: OpaqueTokenForm(prefix: "1//0", body: .base64url(bytes: 64)), refreshTokenLifetime: unlimited,
        scopes: ["openid", "profile", "email", "address", "phone"], loginScope: "openid profile",
        authorizationPath: "/o/oauth2/v2/auth", tokenPath: "/token", profilePath: "/v1/userinfo")

    /// Access tokens have 40 characters, and are valid until they are revoked.
    fileprivate static let github = ProviderDescriptor(
        title: "GitHub", pageName: "GitHub", accent: "#4d5560", hosts: ["github.com", "api.github.com"],
        acceptedToken: .applicationToken(operation: "User"), code: OpaqueTokenForm(body: .base62(20)),
        accessToken: OpaqueTokenForm(prefix: "gho_", body: .base62(36)), refreshToken: OpaqueTokenForm(), tokenLifetime: unlimited,
        refreshTokenLifetime: 0, scopes: ["read:user", "user:email"], loginScope: "read:user user:email",
        authorizationPath: "/login/oauth/authorize", tokenPath: "/login/oauth/access_token", profilePath: "/user")
}

extension Directory {
    /// Returns the social provider of a kind, if the sandbox has it.
    package func provider(ofKind kind: IdentityProvider.Kind) -> IdentityProvider? { providers.values.first { $0.kind == kind } }
}
