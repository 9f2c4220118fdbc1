import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// The endpoints at the domain of a user pool: at the domain's host name, and below the identifier of the pool at every host.
/// (Amazon Cognito Developer Guide, "Managed login endpoints reference".)
package struct HostedPages: Sendable {
    /// An endpoint.
    private struct Endpoint: Sendable {
        let path: String
        /// The methods, in the order of the header `Allow`.
        let methods: [HTTPRequest.Method]
        let perform: @Sendable (HostedVisit) async throws -> Response
    }

    /// The endpoints that apps call, also from pages of other origins.
    private static let endpoints: [Endpoint] = [
        Endpoint(path: "/oauth2/token", methods: [.post]) { try await HostedTokenEndpoint(visit: $0).respond() }
    ]

    /// Returns the pool and the path of a request at a host that is not that of a domain. No bucket has the name of a pool.
    package static func place(of path: String) -> (pool: String, path: String)? {
        let rest = path.utf8.dropFirst()
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), rest[..<slash].contains(UInt8(ascii: "_")) else { return nil }
        let (pool, below) = (String(Substring(rest[..<slash])), String(Substring(rest[slash...])))
        guard isPath(below), UserPool.isIdentifier(pool) else { return nil }
        return (pool, below)
    }

    private static func isPath(_ path: String) -> Bool { endpoints.contains { $0.path == path } }

    /// Responds to a request.
    /// - Parameters:
    ///   - id: the identifier of the pool.
    ///   - path: the path of the page or endpoint.
    func respond(to call: Call, pool id: String, path: String) async -> Response {
        call.note(face: UserPoolsFace.service)
        let pools = call.cloud.directory.userPools
        guard let pool = pools.pool(id), !pools.domains(of: id).isEmpty else {
            return HostedTokenError("invalid_request", "There is no user pool with a domain here. Create one with CreateUserPoolDomain.")
                .response(to: call)
        }
        let basePath = call.path.hasSuffix(path) ? String(call.path.dropLast(path.count)) : ""
        let visit = HostedVisit(call: call, pool: pool, basePath: basePath, path: path)
        return Self.shared(await respond(visit), with: call)
    }

    private func respond(_ visit: HostedVisit) async -> Response {
        let found = Self.endpoints.filter { $0.path == visit.path }
        guard !found.isEmpty else {
            var error = HostedTokenError("not_found", "There is nothing at this path.")
            error.status = .notFound
            return error.response(to: visit.call)
        }
        if visit.method == .options { return Self.preflight }
        guard let endpoint = found.first(where: { $0.methods.contains(visit.method) }) else {
            var error = HostedTokenError.invalidRequest("The endpoint does not take \(visit.method.rawValue) requests.")
            (error.status, error.allow) = (.methodNotAllowed, found.flatMap(\.methods).map(\.rawValue).joined(separator: ", "))
            return error.response(to: visit.call)
        }
        do {
            return try await endpoint.perform(visit)
        } catch {
            return HostedTokenError(failure: error, visit.call).response(to: visit.call)
        }
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
