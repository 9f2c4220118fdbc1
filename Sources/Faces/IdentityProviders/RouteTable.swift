import Calls
import HTTPTypes
import WireFormats

/// An endpoint of an identity provider: a row of its table of routes.
struct ProviderRoute<Face>: Sendable {
    /// The paths, relative to the provider's base URL.
    let paths: [String]
    /// The methods, in the order of the header `Allow`; empty if the endpoint checks the method itself. HEAD counts as GET.
    let methods: [HTTPRequest.Method]
    /// Whether pages of other origins may read the response (Fetch Standard, "CORS protocol").
    var isShared = false
    /// Whether browsers may ask for permission first (Fetch Standard, "CORS-preflight request").
    var answersPreflight = false
    /// Whether the endpoint has the paths below its own, instead of its own.
    var isPrefix = false
    /// Responds to a request with one of the methods.
    let perform: @Sendable (Face) async throws -> Response

    /// Creates the row of a page or a redirect, which users see.
    static func page(
        _ paths: String..., takes methods: [HTTPRequest.Method], perform: @escaping @Sendable (Face) async throws -> Response
    ) -> ProviderRoute { ProviderRoute(paths: paths, methods: methods, perform: perform) }

    /// Creates the row of an endpoint that applications call, also from browsers.
    static func application(
        _ paths: String..., takes methods: [HTTPRequest.Method], perform: @escaping @Sendable (Face) async throws -> Response
    ) -> ProviderRoute { ProviderRoute(paths: paths, methods: methods, isShared: true, answersPreflight: true, perform: perform) }

    fileprivate func has(_ path: String) -> Bool {
        guard isPrefix else { return paths.contains(path) }
        return paths.contains { path.hasPrefix($0) && path.utf8.count > $0.utf8.count }
    }
}

/// The routes of an identity provider.
struct RouteTable<Face>: Sendable {
    /// What the table has for a request.
    enum Match {
        case route(ProviderRoute<Face>)
        case preflight
        /// The endpoint has other methods (RFC 9110 section 15.5.6).
        case otherMethod(allow: String)
    }

    let routes: [ProviderRoute<Face>]

    init(_ routes: [ProviderRoute<Face>]) { self.routes = routes }

    /// Returns the match of a request; `nil` if there is no endpoint at the path.
    func match(_ method: HTTPRequest.Method, _ path: String) -> Match? {
        var allowed: [String] = []
        for route in routes where route.has(path) {
            if method == .options, route.answersPreflight { return .preflight }
            if route.methods.isEmpty || route.methods.contains(method) { return .route(route) }
            allowed += route.methods.map(\.rawValue)
        }
        return allowed.isEmpty ? nil : .otherMethod(allow: allowed.joined(separator: ", "))
    }
}

extension Visit {
    /// Performs the request of an OAuth endpoint. The front of each provider adds its own headers.
    /// - Parameter shared: adds the headers with which browser applications of other origins may read a response.
    /// - Throws: `OAuthError` for an unknown path or method, or what the endpoint throws.
    func respond<Face>(
        by table: RouteTable<Face>, at path: String, as face: Face, shared: (Response) -> Response
    ) async throws -> Response {
        switch table.match(method, path) {
        case .route(let route):
            let response = try await route.perform(face)
            return route.isShared ? shared(response) : response
        case .preflight: return shared(manners.restrictsOrigins ? .realmPreflight : .preflight)
        case .otherMethod(let allow): throw refusedMethod(allow: allow)
        case nil: throw OAuthError(.notFound, "There is nothing at this path.", status: .notFound)
        }
    }

    /// Returns the error for an unsupported method.
    /// - Parameter allow: the supported methods, as in the header `Allow`.
    func refusedMethod(allow: String) -> OAuthError {
        OAuthError(
            .invalidRequest, "The endpoint does not take \(method.rawValue) requests.", status: .methodNotAllowed, allow: allow)
    }
}

extension Response {
    /// The response to a CORS preflight request. (Fetch Standard, "CORS-preflight request".)
    static let preflight = Response(
        status: .noContent,
        headers: [
            .accessControlAllowOrigin: "*", .accessControlAllowMethods: "GET, POST, PUT, DELETE, OPTIONS",
            .accessControlAllowHeaders: "Authorization, Content-Type, DPoP, X-Requested-With, Origin, Accept", .accessControlMaxAge: "600",
        ])
}
