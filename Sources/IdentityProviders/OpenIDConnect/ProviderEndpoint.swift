import Calls
import Cloud
import Directory
import Federation

/// The endpoints of an OpenID Connect issuer that have an URL of their own in its metadata.
enum ProviderEndpoint {
    case authorization, pushedAuthorization, token, userInfo, keySet, endSession, checkSession
    case introspection, revocation, deviceAuthorization, deviceVerification, registration

    /// Below `/idp/<name>`.
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

    /// Below the realm, where the issuer is addressed as one of Keycloak's.
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

    /// Whether a person is sent there; the application itself calls the others.
    fileprivate var isForBrowsers: Bool {
        switch self {
        case .authorization, .endSession, .checkSession, .deviceVerification: true
        case .pushedAuthorization, .token, .userInfo, .keySet, .introspection, .revocation, .deviceAuthorization, .registration: false
        }
    }
}

extension Visit {
    /// An endpoint's URL: by the host that the asker addressed, or under the name that the issuer has for those of its kind.
    func url(of endpoint: ProviderEndpoint) -> String {
        let fixed = endpoint.isForBrowsers ? provider.origins?.browser : provider.origins?.backChannel
        return (fixed ?? call.origin) + basePath + path(of: endpoint)
    }

    /// An endpoint's path below the provider.
    func path(of endpoint: ProviderEndpoint) -> String { isRealm ? endpoint.realmPath : endpoint.path }
}
