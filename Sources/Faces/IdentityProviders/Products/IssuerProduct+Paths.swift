import Directory
import WireFormats

extension IssuerProduct {
    /// Returns the path of an endpoint, relative to the issuer's endpoints; `nil` if the product has no such endpoint.
    func path(of endpoint: ProviderEndpoint) -> String? {
        switch self {
        case .entra: Self.entraPath(of: endpoint)
        case .apple: Self.applePath(of: endpoint)
        case .auth0: Self.auth0Path(of: endpoint)
        }
    }

    /// The paths below the tenant. (Microsoft identity platform, "OpenID Connect", "OAuth 2.0 device authorization grant flow".)
    private static func entraPath(of endpoint: ProviderEndpoint) -> String? {
        switch endpoint {
        case .authorization: "/oauth2/v2.0/authorize"
        case .token: "/oauth2/v2.0/token"
        case .userInfo: "/oidc/userinfo"
        case .keySet: "/discovery/v2.0/keys"
        case .endSession: "/oauth2/v2.0/logout"
        case .deviceAuthorization: "/oauth2/v2.0/devicecode"
        case .deviceVerification: "/oauth2/deviceauth"
        case .pushedAuthorization, .checkSession, .introspection, .revocation, .registration: nil
        }
    }

    /// (Sign in with Apple REST API.)
    private static func applePath(of endpoint: ProviderEndpoint) -> String? {
        switch endpoint {
        case .authorization: "/auth/authorize"
        case .token: "/auth/token"
        case .keySet: "/auth/keys"
        case .revocation: "/auth/revoke"
        case .pushedAuthorization, .userInfo, .endSession, .checkSession, .introspection, .deviceAuthorization, .deviceVerification,
            .registration:
            nil
        }
    }

    /// (Auth0 Authentication API.)
    private static func auth0Path(of endpoint: ProviderEndpoint) -> String? {
        switch endpoint {
        case .authorization: "/authorize"
        case .pushedAuthorization: "/oauth/par"
        case .token: "/oauth/token"
        case .userInfo: "/userinfo"
        case .keySet: "/.well-known/jwks.json"
        case .endSession: "/oidc/logout"
        case .revocation: "/oauth/revoke"
        case .deviceAuthorization: "/oauth/device/code"
        case .deviceVerification: "/activate"
        case .registration: "/oidc/register"
        case .checkSession, .introspection: nil
        }
    }
}

extension IssuerProduct {
    /// Returns whether the product has a scope besides those of OpenID Connect and of the provider's APIs. At Microsoft Entra ID, other scopes
    /// are permissions of APIs, such as `User.Read` of Microsoft Graph. (Microsoft identity platform, "Scopes and permissions".)
    func hasScope(_ name: String) -> Bool {
        switch self {
        case .entra: true
        case .apple: name == "name"
        case .auth0: false
        }
    }
}
