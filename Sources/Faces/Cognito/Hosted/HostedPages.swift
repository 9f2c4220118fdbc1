import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The pages and endpoints at the domain of a user pool: at the domain's host name, and below the identifier of the pool at every host.
/// (Amazon Cognito Developer Guide, "Managed login endpoints reference".)
package struct HostedPages: Sendable {
    /// How the functions of triggers are called.
    let functions: UserPoolFunctions
    /// Sends requests to identity providers; `nil` if there is no way to them.
    let outbound: Outbound?

    /// A page or an endpoint.
    private struct Endpoint: Sendable {
        let path: String
        let method: HTTPRequest.Method
        /// Whether it is for apps, also for those that are pages of other origins. Other responses are pages.
        let isForApps: Bool
        let perform: @Sendable (HostedVisit) async throws -> Response

        static func page(
            _ method: HTTPRequest.Method, _ path: String, _ perform: @escaping @Sendable (HostedVisit) async throws -> Response
        ) -> Endpoint { Endpoint(path: path, method: method, isForApps: false, perform: perform) }

        static func app(
            _ method: HTTPRequest.Method, _ path: String, _ perform: @escaping @Sendable (HostedVisit) async throws -> Response
        ) -> Endpoint { Endpoint(path: path, method: method, isForApps: true, perform: perform) }
    }

    private static let endpoints: [Endpoint] = forApps + signInPages + signUpPages

    private static let forApps: [Endpoint] = [
        .app(.post, "/oauth2/token") { try await HostedTokenEndpoint(visit: $0).respond() },
        .app(.get, "/oauth2/userInfo") { try await HostedUserInfoEndpoint(visit: $0).respond() },
        .app(.post, "/oauth2/userInfo") { try await HostedUserInfoEndpoint(visit: $0).respond() },
        .app(.post, "/oauth2/revoke") { try await HostedRevokeEndpoint(visit: $0).respond() },
    ]

    private static let signInPages: [Endpoint] = [
        .page(.get, "/oauth2/authorize") { try await HostedSignIn.authorize($0) },
        .page(.get, "/login") { try await HostedSignIn.shown($0, "Login") { $0.loginPage() } },
        .page(.post, "/login") { try await HostedSignIn.submitted($0, "Login") { try await $0.login($1) } },
        .page(.post, "/challenge") { try await HostedSignIn.submitted($0, "Challenge") { try await $0.answer($1) } },
        .page(.get, HostedFederation.path) { try await HostedFederation.respond($0) },
        .page(.get, "/logout") { try await HostedLogout(visit: $0).respond() },
        .page(.get, "/error") { throw try HostedPages.error(of: $0) },
    ]

    private static let signUpPages: [Endpoint] = [
        .page(.get, "/signup") { try await HostedSignIn.shown($0, "SignUp") { try HostedSignUp(signIn: $0).page() } },
        .page(.post, "/signup") {
            try await HostedSignIn.submitted($0, "SignUp") { try await HostedSignUp(signIn: $0).submit($1) }
        },
        .page(.get, "/confirmUser") {
            try await HostedSignIn.shown($0, "ConfirmSignUp") { HostedSignUp(signIn: $0).confirmationPage() }
        },
        .page(.post, "/confirmUser") {
            try await HostedSignIn.submitted($0, "ConfirmSignUp") { try await HostedSignUp(signIn: $0).confirm($1) }
        },
        .page(.get, "/resendcode") {
            try await HostedSignIn.shown($0, "ResendConfirmationCode") { HostedSignUp(signIn: $0).resendPage() }
        },
        .page(.post, "/resendcode") {
            try await HostedSignIn.submitted($0, "ResendConfirmationCode") { try await HostedSignUp(signIn: $0).resend($1) }
        },
        .page(.get, "/forgotPassword") {
            try await HostedSignIn.shown($0, "ForgotPassword") { HostedSignUp(signIn: $0).forgottenPage() }
        },
        .page(.post, "/forgotPassword") {
            try await HostedSignIn.submitted($0, "ForgotPassword") { try await HostedSignUp(signIn: $0).forget($1) }
        },
        .page(.post, "/confirmForgotPassword") {
            try await HostedSignIn.submitted($0, "ConfirmForgotPassword") { try await HostedSignUp(signIn: $0).reset($1) }
        },
    ]

    /// The error that the page `/error` shows.
    private static func error(of visit: HostedVisit) throws -> HostedFault {
        HostedFault(try visit.query().value("error") ?? "error", "The app sent a request that the user pool refuses.")
    }

    /// Returns the pool and the path of a request at a host that is not that of a domain. No bucket has the name of a pool.
    package static func place(of path: String) -> (pool: String, path: String)? {
        let rest = path.utf8.dropFirst()
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), rest[..<slash].contains(UInt8(ascii: "_")) else { return nil }
        let (pool, below) = (String(Substring(rest[..<slash])), String(Substring(rest[slash...])))
        guard endpoints.contains(where: { $0.path == below }), UserPool.isIdentifier(pool) else { return nil }
        return (pool, below)
    }

    /// Responds to a request.
    /// - Parameters:
    ///   - id: the identifier of the pool; empty for a domain that does not exist.
    ///   - path: the path of the page or endpoint.
    func respond(to call: Call, pool id: String, path: String) async -> Response {
        call.note(face: UserPoolsFace.service)
        let found = Self.endpoints.filter { $0.path == path }
        let isForApps = found.first?.isForApps ?? false
        let pools = call.cloud.directory.userPools
        guard let pool = pools.pool(id), !pools.domains(of: id).isEmpty else {
            let note = "There is no user pool with a domain here. Create one with CreateUserPoolDomain."
            if isForApps { return HostedTokenError.invalidRequest(note).response(to: call) }
            return HostedFault.unavailable(note).shown(for: call, owner: "Amazon Cognito")
        }
        let basePath = call.path.hasSuffix(path) ? String(call.path.dropLast(path.count)) : ""
        let visit = HostedVisit(call: call, pool: pool, basePath: basePath, path: path, functions: functions, outbound: outbound)
        guard isForApps else { return await page(visit, found) }
        return Self.shared(await answer(visit, found), with: call)
    }

    private func page(_ visit: HostedVisit, _ found: [Endpoint]) async -> Response {
        guard let endpoint = found.first(where: { $0.method == visit.method }) else {
            guard let allow = Self.methods(found) else {
                return HostedFault("not_found", "There is nothing at this path.", status: .notFound)
                    .shown(for: visit.call, owner: visit.pool.name)
            }
            let note = "The page does not take \(visit.method.rawValue) requests."
            var response = HostedFault("invalid_request", note, status: .methodNotAllowed)
                .shown(for: visit.call, owner: visit.pool.name)
            response.headers[.allow] = allow
            return response
        }
        do {
            return try await endpoint.perform(visit)
        } catch let redirect as HostedRedirect {
            return redirect.response(to: visit.call)
        } catch {
            return HostedFault(failure: error, visit.call).shown(for: visit.call, owner: visit.pool.name)
        }
    }

    private func answer(_ visit: HostedVisit, _ found: [Endpoint]) async -> Response {
        if visit.method == .options { return Self.preflight }
        guard let endpoint = found.first(where: { $0.method == visit.method }) else {
            var error = HostedTokenError.invalidRequest("The endpoint does not take \(visit.method.rawValue) requests.")
            (error.status, error.allow) = (.methodNotAllowed, Self.methods(found))
            return error.response(to: visit.call)
        }
        do {
            return try await endpoint.perform(visit)
        } catch {
            return HostedTokenError(failure: error, visit.call).response(to: visit.call)
        }
    }

    private static func methods(_ found: [Endpoint]) -> String? {
        found.isEmpty ? nil : found.map(\.method.rawValue).joined(separator: ", ")
    }

    /// Lets pages of every origin read the response of an endpoint for apps.
    private static func shared(_ response: Response, with call: Call) -> Response {
        guard call.headers.has(.origin) else { return response }
        var response = response
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }

    /// The response to a preflight request. (Fetch Standard, "CORS-preflight request".)
    private static var preflight: Response {
        Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: "GET, POST, OPTIONS", .accessControlAllowHeaders: "Authorization, Content-Type",
                .accessControlMaxAge: "600",
            ])
    }
}
