import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import Tokens
import WireFormats

/// A local OpenID Connect provider under the paths of a Keycloak realm, for test suites and applications made for Keycloak. The realm is
/// the provider's name. (Keycloak, "Securing applications and services guide", "OpenID Connect endpoints".)
struct KeycloakFace {
    let visit: Visit

    private static let protocolPath = "/protocol/openid-connect"

    private var shared: OpenIDConnectFace { OpenIDConnectFace(visit: visit) }

    func respond() async -> Response { await shared.respond(at: route) }

    private func route() async throws -> Response {
        let method = visit.method
        if let response = try await shared.respondToApplication() { return response }
        switch visit.path {
        case SignIn.path where method == .post:
            return try await SignIn(endpoint: AuthorizeEndpoint(visit: visit)).submit(shared.posted())
        case LogoutEndpoint.confirmationPath where method == .post: return try await LogoutEndpoint(visit: visit).confirm(shared.posted())
        case "", "/", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server":
            if method == .options { return shared.preflight }
            guard method == .get else { throw visit.refusedMethod(but: "GET") }
            return shared.shared(try await visit.path.hasPrefix("/.") ? discovery() : information())
        default: break
        }
        guard visit.path.hasPrefix(Self.protocolPath) else { throw notFound }
        let endpoint = String(visit.path.dropFirst(Self.protocolPath.count))
        if method == .options, endpoint != "/auth" { return shared.preflight }
        switch endpoint {
        case "/auth" where method == .get || method == .post: return try await shared.authorize()
        case "/certs" where method == .get:
            try await visit.enter("KeySet")
            return shared.shared(try await KeySetDocument(visit: visit).responseWithCertificates())
        case "/userinfo" where method == .get || method == .post:
            return shared.shared(try await UserInfoEndpoint(visit: visit).respond())
        case "/ext/par/request": return shared.shared(try await PushedAuthorizationEndpoint(visit: visit).respond())
        case "/3p-cookies/step1.html" where method == .get: return try await CheckSessionEndpoint(visit: visit).cookieProbe()
        case "/logout": return try await RealmLogoutEndpoint(visit: visit).respond()
        case "/certs", "/3p-cookies/step1.html": throw visit.refusedMethod(but: "GET")
        case "/auth", "/userinfo": throw visit.refusedMethod(but: "GET, POST")
        default: throw notFound
        }
    }

    private var notFound: OAuthError {
        OAuthError(.notFound, "There is nothing at this path.", status: .notFound)
    }

    private func discovery() async throws -> Response {
        try await visit.enter("Discovery")
        return .json(.object(OpenIDConnectMetadata(visit: visit).document))
    }

    /// Returns the public information of the realm, the older way to its key.
    private func information() async throws -> Response {
        try await visit.enter("Realm")
        let key = try await visit.cloud.signingKey(for: visit.provider.name)
        guard case .rsa(let publicKey) = key.verificationKey else { throw OAuthError.internalError }
        return .json([
            "realm": .string(visit.provider.name), "public_key": .string(publicKey.subjectPublicKeyInfo.base64),
            "token-service": .string(visit.baseURL + Self.protocolPath), "account-service": .string(visit.baseURL + "/account"),
            "tokens-not-before": 0,
        ])
    }
}
