import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// Facebook Login and the related part of the Graph API: routes requests to the endpoints.
struct FacebookFace {
    let visit: Visit

    /// The version in the path; `nil` if it has none.
    private let version: GraphVersion?
    private let path: String
    /// Whether the request is part of a batch, which has no pages and no further batches.
    private let isInBatch: Bool

    init(visit: Visit, isInBatch: Bool = false) {
        self.visit = visit
        self.isInBatch = isInBatch
        (version, path) = GraphVersion.split(visit.path)
    }

    func respond() async -> Response {
        await visit.respond(
            { marked(try await route()) }, refusing: { (error: GraphError) in marked(refuse(error)) },
            failing: { marked(refuse(GraphError($0))) })
    }

    private func marked(_ response: Response) -> Response {
        var response = response
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.facebookVersion] = (version ?? .current).text
        return response
    }

    private func refuse(_ error: GraphError) -> Response {
        visit.call.note(errorCode: String(error.code) + (error.subcode.map { "/\($0)" } ?? ""), message: error.message)
        // Responses of the first versions had no trace ID.
        let isOld = version.map { $0 < GraphVersion(major: 2, minor: 3) } ?? false
        return error.response(traceID: isOld ? nil : visit.call.id.text)
    }

    private func route() async throws -> Response {
        if visit.method == .options { return .preflight }
        if !isInBatch, let response = try await respondWithPage() { return response }
        let parameters = try await visit.parameters()
        let request = GraphRequest(visit: visit, pathVersion: version, parameters: parameters)
        if !isInBatch, visit.method == .post, parameters.value("batch") != nil { return try await GraphBatch(request: request).respond() }
        // With another method, a path can still be that of a node.
        if case .route(let route)? = Self.operations.match(request.method, path) { return try await route.perform(request) }
        return try await node(request)
    }

    /// Returns the response of a page or a document of the other hosts; `nil` for the paths of the Graph API.
    private func respondWithPage() async throws -> Response? {
        let page = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        if case .route(let route)? = Self.pages.match(visit.method, page) { return try await route.perform(self) }
        guard visit.method == .get, page.hasPrefix(TestUsers.loginPath) else { return nil }
        return try await TestUserLogin(visit: visit, id: String(page.dropFirst(TestUsers.loginPath.count))).respond()
    }

    /// The operations of the Graph API at fixed paths.
    private static let operations = RouteTable<GraphRequest>([
        .application(IdentityProvider.Kind.facebook.descriptor.tokenPath, takes: [.get, .post]) {
            try await FacebookTokenEndpoint(request: $0).respond()
        },
        .application(IdentityProvider.Kind.facebook.descriptor.profilePath, takes: [.get]) { try await GraphUser(request: $0).respond() },
        .application("/app", takes: [.get]) { try await GraphApp(request: $0).respond() },
        .application("/debug_token", takes: [.get]) { try await GraphDebugToken(request: $0).respond() },
        .application("/device/login", takes: [.post]) { try await FacebookDevices(request: $0).login() },
        .application("/device/login_status", takes: [.post]) { try await FacebookDevices(request: $0).status() },
    ])

    /// The pages for users: the hosts `www`, `m` and `developers`.
    private static let pages = RouteTable<FacebookFace>([
        .page(IdentityProvider.Kind.facebook.descriptor.authorizationPath, takes: [.get]) { face in
            try await SignIn(endpoint: face.dialog).begin(face.visit.query())
        },
        .page(SignIn.path, takes: [.post]) { face in try await SignIn(endpoint: face.dialog).submit(face.visit.form()) },
        .page(FacebookRedirect.successPath, takes: [.get]) { FacebookRedirect.successPage(of: $0.visit) },
        .application(FacebookMetadata.path, takes: [.get]) { face in
            try await face.visit.enter("Discovery")
            return .json(.object(FacebookMetadata(visit: face.visit).document))
        },
        .application(FacebookMetadata.keySetPath, takes: [.get]) { face in
            try await face.visit.enter("KeySet")
            return try await KeySetDocument(visit: face.visit).response()
        },
        .application(FacebookMetadata.certificatesPath, takes: [.get]) { face in
            try await face.visit.enter("KeySet")
            return try await FacebookMetadata(visit: face.visit).certificates()
        },
        .application(GraphPicture.path, takes: [.get]) { try GraphPicture.silhouette($0.visit.query()) },
        .page(FacebookDevices.path, takes: [.get]) { try await $0.devices.show() },
        .page(DeviceVerification.formPath(of: FacebookDevices.path), takes: [.post]) { try await $0.devices.submit() },
        .page(PageLogin.formPath, takes: [.post]) { face in try await PageLogin(visit: face.visit).signIn.submit(face.visit.form()) },
        .page(AccessTokenTool.path, takes: [.get]) { try await AccessTokenTool(visit: $0.visit).respond() },
        .page(AccessTokenDebugger.path, takes: [.get]) { try await AccessTokenDebugger(visit: $0.visit).show() },
        .page(AccessTokenDebugger.path, takes: [.post]) { try await AccessTokenDebugger(visit: $0.visit).extend() },
        .page(applicationsPath, takes: [.get]) { try await $0.connectedApplications.show() },
        .page(applicationsPath, takes: [.post]) { try await $0.connectedApplications.submit() },
    ])

    private static let applicationsPath = "/settings/applications"

    private var dialog: FacebookDialog { FacebookDialog(visit: visit, version: version) }

    private var devices: DeviceVerification {
        DeviceVerification(visit: visit, path: FacebookDevices.path, meaning: FacebookDialog.meaning(of:))
    }

    private var connectedApplications: ConnectedApplications {
        ConnectedApplications(visit: visit, path: Self.applicationsPath, meaning: FacebookDialog.meaning(of:)) { client, person in
            try await FacebookInstallation(visit: visit, client: client).remove(person)
        }
    }

    /// Handles a path that begins with an identifier.
    private func node(_ request: GraphRequest) async throws -> Response {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let method = request.method
        // The node is empty at the root and after a version without more.
        let node = parts.first ?? ""
        // Other paths are not nodes, for instance an unknown version.
        let isNode = node == "me" || node.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNode || parts.count == 1 else { throw GraphError.unknownPath(parts.dropFirst().joined(separator: "/")) }
        if parts.count == 2, isNode, parts[1] == "picture", method == .get {
            return try await GraphUser(request: request, node: node).respondWithPicture()
        }
        guard request.accessToken != nil else { throw node == "me" ? GraphError.noToken : .tokenRequired }
        if parts.count == 1, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return try await GraphNode(request: request, id: parts[0]).respond()
        }
        if parts.count >= 2, parts.count <= 3, parts[1] == "permissions" {
            let permissions = GraphPermissions(request: request, node: parts[0])
            if method == .get, parts.count == 2 { return try await permissions.list() }
            if method == .delete { return try await permissions.revoke(parts.count == 3 ? parts[2] : nil) }
        }
        if parts.count == 3, parts[1] == "accounts", parts[2] == "test-users" {
            if method == .get { return try await TestUsers(request: request).list(parts[0]) }
            if method == .post { return try await TestUsers(request: request).create(parts[0]) }
        }
        throw parts.count > 1 ? GraphError.unknownPath(parts.dropFirst().joined(separator: "/")) : .unknownAlias(String(path.dropFirst()))
    }
}

extension HTTPField.Name {
    static let facebookVersion = HTTPField.Name(literal: "facebook-api-version")
}
