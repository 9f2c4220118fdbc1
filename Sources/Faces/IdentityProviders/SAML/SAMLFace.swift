import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The SAML 2.0 identity provider of an issuer: routes requests to the endpoints. Users see all responses, so every error is a page.
struct SAMLFace {
    let visit: Visit
    let settings: SAMLIdentityProvider

    /// The logout endpoint of the provider's own page.
    static let logoutPath = "/saml/logout"

    /// Returns whether a path, relative to the provider's base URL, is a SAML endpoint.
    static func answers(_ path: String, as manners: ProviderManners) -> Bool {
        path.hasPrefix("/saml/") || SAMLPaths.areFixed(path) || manners.isRealm && RealmSAML.paths.contains(path)
    }

    func respond() async -> Response {
        await visit.respond(
            route, refusing: { (page: FaultPage) in page.shown(in: visit) }, failing: { FaultPage($0).shown(in: visit) })
    }

    /// Returns a service provider's endpoint with the query that carries a message.
    static func url(_ location: String, with query: String) -> String { location + (location.contains("?") ? "&" : "?") + query }

    private static let nothingHere = FaultPage(status: .notFound, code: "not_found", explanation: "There is nothing at this path.")

    private func route() async throws -> Response {
        let path = SAMLPaths.areFixed(visit.path) ? visit.path.lowercased() : visit.path
        // Cookies belong to the provider's base URL, so requests elsewhere are redirected there, keeping the method and the form.
        if visit.basePath.isEmpty, path != SAMLPaths.metadata, path != SAMLPaths.federationMetadata {
            let query = visit.call.query.isEmpty ? "" : "?" + visit.call.query
            var response = Response.redirect(to: visit.call.origin + IssuerPaths.own + visit.provider.name + path + query)
            if visit.method != .get { response.status = .temporaryRedirect }
            return response
        }
        switch (visit.manners.isRealm ? Self.realmRoutes : Self.routes).match(visit.method, path) {
        case .route(let route): return try await route.perform(self)
        case .otherMethod(let allow):
            throw FaultPage(
                status: .methodNotAllowed, code: "method_not_allowed",
                explanation: "The endpoint does not take \(visit.method.rawValue) requests.", allow: allow)
        case .preflight, nil: throw Self.nothingHere
        }
    }

    private static let realmRoutes = RouteTable<SAMLFace>(routes.routes + realmEndpoints)

    private static let realmEndpoints: [ProviderRoute<SAMLFace>] = [
        .page(RealmSAML.descriptor, takes: [.get]) { try await $0.metadata() },
        .page(RealmSAML.endpoint, takes: [.get, .post]) { try await $0.message() },
    ]

    private static let routes = RouteTable<SAMLFace>([
        .page(SAMLPaths.metadata, SAMLPaths.federationMetadata, takes: [.get]) { try await $0.metadata() },
        .page(SignOnEndpoint.formPath, takes: [.post]) { try await $0.endpoint.signIn.submit($0.visit.form()) },
        .page(SAMLPaths.signOn, takes: [.get, .post]) { face in
            try await face.received { try await face.endpoint.signIn.begin($0) }
        },
        .page(SAMLPaths.logout, takes: [.get, .post]) { face in
            try await face.received { try await face.logout.respond(to: ReceivedMessage($0)) }
        },
        .page(logoutPath, takes: [.get, .post]) { face in
            guard face.visit.method == .get || !face.visit.call.source.isForeignPage else { throw FaultPage.foreignForm }
            return try await face.logout.begin()
        },
        .page(SAMLPaths.activeDirectory, "\(SAMLPaths.activeDirectory)/", takes: [.get, .post]) { try await $0.activeDirectory() },
        .page(
            "/adfs/ls/idpinitiatedsignon", "/adfs/ls/idpinitiatedsignon.aspx", "/adfs/ls/idpinitiatedsignon.htm", takes: [.get, .post]
        ) { try await RelyingPartyPage(endpoint: $0.endpoint).respond() },
    ])

    private var endpoint: SignOnEndpoint { SignOnEndpoint(visit: visit, settings: settings) }

    private var logout: SingleLogout { SingleLogout(visit: visit, settings: settings) }

    /// Handles the parameters of a message, unless the browser must send them again with its cookies.
    private func received(_ handle: (FormFields) async throws -> Response) async throws -> Response {
        let parameters = try await ReceivedMessage.parameters(of: visit)
        if let page = visit.resubmissionPage(parameters) { return page }
        return try await handle(parameters)
    }

    /// Responds at the single endpoint of AD FS, which handles all messages.
    private func activeDirectory() async throws -> Response {
        let query = visit.call.queryFields ?? [:]
        // WS-Federation applications use this parameter for logout. SAML applications use the same link.
        if let action = query["wa"] {
            guard action == "wsignout1.0" || action == "wsignoutcleanup1.0" else {
                throw FaultPage(code: "invalid_request", explanation: "WS-Federation is not supported.")
            }
            return try await logout.begin()
        }
        return try await message()
    }

    /// Responds at an endpoint that handles all messages.
    private func message() async throws -> Response {
        try await received { parameters in
            let message = try ReceivedMessage(parameters)
            if message.kind == .request, message.document.isNamed("AuthnRequest", in: SAML.protocol) {
                return try await endpoint.signIn.begin(parameters)
            }
            return try await logout.respond(to: message)
        }
    }

    private func metadata() async throws -> Response {
        try await visit.enter("Metadata")
        let origin = visit.provider.origins?.browser ?? visit.call.origin
        let baseURL = origin + IssuerPaths.own + visit.provider.name
        var metadata = try await IdentityProviderMetadata(of: visit.provider, settings: settings, baseURL: baseURL, in: visit.cloud)
        if visit.manners.isRealm { (metadata.signOn, metadata.logout) = RealmSAML.locations(below: origin + visit.basePath) }
        metadata.entityID = visit.entityID(settings)
        var element = metadata.element()
        if settings.signsMetadata {
            element = try await SAMLSigner(of: visit.provider, in: visit.cloud).sign(metadata.element(id: try SAMLIdentifier.make()))
        }
        return Response(
            status: .ok, contentType: "application/samlmetadata+xml", headers: [.cacheControl: "no-cache"], body: element.serialized())
    }
}

extension Visit {
    /// Returns the entity identifier as the caller spells it: that of the seed, the realm's URL at the paths of a Keycloak realm, and
    /// otherwise the URL of the metadata, which does not depend on the path of the request.
    func entityID(_ settings: SAMLIdentityProvider) -> String {
        let origin = provider.origins?.issuer ?? call.origin
        if manners.isRealm { return settings.entityID ?? origin + basePath }
        return settings.entityID(baseURL: origin + IssuerPaths.own + provider.name)
    }

    /// Returns whether a URL is an endpoint of the provider, under any name of this process: containers and browsers may use different
    /// names.
    /// - Parameter paths: the endpoints, relative to the provider's base URL. The paths of AD FS stand for all endpoints.
    func isEndpoint(_ url: String, at paths: [String]) -> Bool {
        guard let path = url.hasPrefix(call.origin) ? String(url.dropFirst(call.origin.count)) : call.names.path(ofOwn: url)
        else { return false }
        if paths.contains(where: { path == basePath + $0 }) { return true }
        if manners.isRealm, path == basePath + RealmSAML.endpoint { return true }
        let fixed = path.lowercased().drop { $0 == "/" }
        let own = basePath.lowercased().drop { $0 == "/" } + SAMLPaths.activeDirectory
        return [SAMLPaths.activeDirectory.dropFirst(), own[...]].contains { fixed == $0 || fixed == $0 + "/" }
    }
}
