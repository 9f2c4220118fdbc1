import Exchange
import HTTPTypes
import WireFormats

/// Facebook Login and the part of the Graph API around it: which endpoint a path means.
struct FacebookFace {
    let visit: Visit

    private var traceID: String { visit.exchange.id.text }

    func respond() async -> Response {
        var response: Response
        do {
            response = try await route()
        } catch let error as GraphError {
            visit.exchange.note(errorCode: String(error.code) + (error.subcode.map { "/\($0)" } ?? ""))
            response = error.response(traceID: traceID)
        } catch let fault as InjectedFault {
            let error = GraphError(fault)
            visit.exchange.note(errorCode: String(error.code))
            response = error.response(traceID: traceID)
        } catch let fault as FormFault {
            visit.exchange.note(errorCode: "100")
            response = GraphError(message: "(#100) \(fault.explanation)", code: 100).response(traceID: traceID)
        } catch {
            visit.exchange.note(errorCode: "1")
            response = GraphError.internalError.response(traceID: traceID)
        }
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }

    private func route() async throws -> Response {
        let method = visit.method
        let (version, path) = GraphVersion.split(visit.path)
        switch path {
        case "/dialog/oauth" where method == .get:
            return try await SignIn(endpoint: FacebookDialog(visit: visit)).begin(visit.query())
        case SignIn.path where method == .post:
            return try await SignIn(endpoint: FacebookDialog(visit: visit)).submit(visit.form())
        default: break
        }
        let parameters = try await visit.parameters()
        let request = GraphRequest(visit: visit, version: version, parameters: parameters)
        switch path {
        case "/oauth/access_token" where method == .get || method == .post:
            return try await FacebookTokenEndpoint(request: request).respond()
        case "/me" where method == .get: return try await GraphUser(request: request).respond()
        case "/app" where method == .get: return try await GraphApp(request: request).respond()
        case "/debug_token" where method == .get: return try await GraphDebugToken(request: request).respond()
        default: break
        }
        let components = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if components.count == 2, components.last == "permissions", let node = components.first {
            if method == .get { return try await GraphPermissions(request: request, node: String(node)).list() }
            if method == .delete { return try await GraphPermissions(request: request, node: String(node)).revoke() }
        }
        throw GraphError(
            message: "(#803) Some of the aliases you requested do not exist: \(path.dropFirst())", code: 803, status: .notFound)
    }
}
