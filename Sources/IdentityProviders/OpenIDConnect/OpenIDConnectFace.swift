import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// An OpenID Connect issuer: routes requests to the endpoints.
struct OpenIDConnectFace {
    let visit: Visit

    func respond() async -> Response {
        await respond(at: route)
    }

    /// Calls `route` and converts its errors to responses.
    func respond(at route: () async throws -> Response) async -> Response {
        do {
            return try await route()
        } catch {
            return shared(visit.answer(toError: error))
        }
    }

    private func route() async throws -> Response {
        let method = visit.method
        if let response = try await respondToApplication() { return response }
        switch visit.path {
        case "/authorize" where method == .get || method == .post: return try await authorize()
        case SignIn.path where method == .post:
            return try await SignIn(endpoint: AuthorizeEndpoint(visit: visit)).submit(posted())
        case LogoutEndpoint.confirmationPath where method == .post: return try await LogoutEndpoint(visit: visit).confirm(posted())
        case "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/jwks", "/userinfo", "/par":
            if method == .options { return .preflight }
        default: break
        }
        switch visit.path {
        case "/.well-known/openid-configuration" where method == .get,
            "/.well-known/oauth-authorization-server" where method == .get:
            try await visit.enter("Discovery")
            return shared(.json(.object(OpenIDConnectMetadata(visit: visit).document)))
        case "/jwks" where method == .get:
            try await visit.enter("KeySet")
            return shared(try await KeySetDocument(visit: visit).response())
        case "/logout": return try await LogoutEndpoint(visit: visit).respond()
        case "/par": return shared(try await PushedAuthorizationEndpoint(visit: visit).respond())
        case "/userinfo" where method == .get || method == .post:
            return shared(try await UserInfoEndpoint(visit: visit).respond())
        case "/authorize", SignIn.path, LogoutEndpoint.confirmationPath, "/.well-known/openid-configuration",
            "/.well-known/oauth-authorization-server", "/jwks", "/userinfo":
            throw visit.refusedMethod(but: methods(of: visit.path))
        default: throw OAuthError(.notFound, "There is nothing at this path.", status: .notFound)
        }
    }

    private func methods(of path: String) -> String {
        switch path {
        case SignIn.path, LogoutEndpoint.confirmationPath: "POST"
        case "/authorize", "/userinfo": "GET, POST"
        default: "GET"
        }
    }

    func authorize() async throws -> Response {
        let parameters: FormFields
        do {
            parameters = visit.call.method == .post ? try await visit.form() : try visit.query()
        } catch let fault as FormFault {
            return FaultPage(code: "invalid_request", explanation: fault.explanation).shown(in: visit)
        }
        if let page = visit.resubmissionPage(parameters) { return page }
        return try await SignIn(endpoint: AuthorizeEndpoint(visit: visit)).begin(parameters)
    }

    func posted() async throws -> FormFields {
        do {
            return try await visit.form()
        } catch let fault as FormFault {
            throw OAuthError(.invalidRequest, fault.explanation)
        }
    }

    /// The origin of the request, if it is a registered application's page and the realm is addressed. Keycloak's JavaScript adapter sends
    /// cookies, and browsers then require the response to name the origin. (Fetch Standard, "CORS protocol and credentials".)
    private var applicationOrigin: String? {
        guard visit.isRealm, let origin = visit.call.headers.value(of: .origin) else { return nil }
        return visit.provider.clients.count(.page(TextKey(origin))) > 0 ? origin : nil
    }

    /// The ``Response/preflight`` with the origin that the browser requires.
    var preflight: Response { shared(.preflight) }

    /// Adds the headers with which browser applications of other origins may read a response.
    func shared(_ response: consuming Response) -> Response {
        if let origin = applicationOrigin {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlAllowCredentials] = "true"
            response.headers.append(HTTPField(name: .vary, value: "Origin"))
        } else {
            response.headers[.accessControlAllowOrigin] = "*"
        }
        response.headers.append(.exposedHeaders)
        if visit.provider.requiresDPoPNonce == true, visit.call.headers.has(.dpop) {
            // The nonce is for the next proof, whether or not this one was valid (RFC 9449 section 8.2).
            response.headers[.dpopNonce] = try? DPoPNonce.make(in: visit)
        }
        return response
    }
}

extension HTTPField {
    /// Made once: making it checks each character of the value.
    fileprivate static let exposedHeaders = HTTPField(name: .accessControlExposeHeaders, value: "WWW-Authenticate, DPoP-Nonce")
}

extension Visit {
    /// Returns the error for an unsupported method.
    /// - Parameter methods: the supported methods, as in the header `Allow`.
    func refusedMethod(but methods: String) -> OAuthError {
        OAuthError(
            .invalidRequest, "The endpoint does not take \(method.rawValue) requests.", status: .methodNotAllowed, allow: methods)
    }
}

extension Response {
    /// The response to a CORS preflight request. (Fetch Standard, "CORS-preflight request".)
    static let preflight = Response(
        status: .noContent,
        headers: [
            .accessControlAllowOrigin: "*", .accessControlAllowMethods: "GET, POST, PUT, DELETE, OPTIONS",
            .accessControlAllowHeaders: "Authorization, Content-Type, DPoP", .accessControlMaxAge: "600",
        ])
}
