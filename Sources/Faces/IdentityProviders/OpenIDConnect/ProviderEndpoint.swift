import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// The endpoints of an OpenID Connect issuer with a URL in its metadata.
enum ProviderEndpoint {
    case authorization, pushedAuthorization, token, userInfo, keySet, endSession, checkSession
    case introspection, revocation, deviceAuthorization, deviceVerification, registration

    /// The path, relative to `/idp/<name>`. ``IssuerProduct/path(of:)`` has the paths of products.
    var path: String {
        switch self {
        case .authorization: "/authorize"
        case .pushedAuthorization: "/par"
        case .token: "/token"
        case .userInfo: "/userinfo"
        case .keySet: "/jwks"
        case .endSession: "/logout"
        case .checkSession: "/check-session"
        case .introspection: "/introspect"
        case .revocation: "/revoke"
        case .deviceAuthorization: "/device_authorization"
        case .deviceVerification: "/device"
        case .registration: "/register"
        }
    }

    /// The path relative to the realm, for requests under Keycloak's paths.
    var realmPath: String {
        switch self {
        case .authorization: "/protocol/openid-connect/auth"
        case .pushedAuthorization: "/protocol/openid-connect/ext/par/request"
        case .token: "/protocol/openid-connect/token"
        case .userInfo: "/protocol/openid-connect/userinfo"
        case .keySet: "/protocol/openid-connect/certs"
        case .endSession: "/protocol/openid-connect/logout"
        case .checkSession: "/protocol/openid-connect/login-status-iframe.html"
        case .introspection: "/protocol/openid-connect/token/introspect"
        case .revocation: "/protocol/openid-connect/revoke"
        case .deviceAuthorization: "/protocol/openid-connect/auth/device"
        case .deviceVerification: "/device"
        case .registration: "/clients-registrations/openid-connect"
        }
    }

    /// Whether users are redirected to the endpoint; applications call the others directly.
    fileprivate var isForBrowsers: Bool {
        switch self {
        case .authorization, .endSession, .checkSession, .deviceVerification: true
        case .pushedAuthorization, .token, .userInfo, .keySet, .introspection, .revocation, .deviceAuthorization, .registration: false
        }
    }
}

extension Visit {
    /// Returns an endpoint's URL: on the host of the request, or on the configured origin for endpoints of its kind.
    func url(of endpoint: ProviderEndpoint) -> String {
        let fixed = endpoint.isForBrowsers ? provider.origins?.browser : provider.origins?.backChannel
        return (isAtIssuer ? origin : fixed ?? origin) + basePath + path(of: endpoint)
    }

    /// Returns an endpoint's path, relative to the provider's base URL.
    func path(of endpoint: ProviderEndpoint) -> String {
        manners.isRealm ? endpoint.realmPath : provider.product?.path(of: endpoint) ?? endpoint.path
    }
}
