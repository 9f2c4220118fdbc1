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

    init(visit: Visit) {
        self.visit = visit
        (version, path) = GraphVersion.split(visit.path)
    }

    func respond() async -> Response {
        var response: Response
        do {
            response = try await route()
        } catch let error as GraphError {
            response = refuse(error)
        } catch let page as FaultPage {
            return page.shown(in: visit)
        } catch let refusal as GrantRefusal {
            guard let error = GraphError(refusal) else { return visit.unknownProvider }
            response = refuse(error)
        } catch let fault as InjectedFault {
            response = refuse(GraphError(fault))
        } catch let fault as FormFault {
            response = refuse(GraphError(message: "(#100) \(fault.explanation)", code: 100))
        } catch {
            let isFull = FullStorage.isCause(of: error)
            if !isFull { visit.call.note(failure: error) }
            response = refuse(isFull ? .fullStorage(error) : .internalError)
        }
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
        if let page = try await page() { return page }
        let parameters = try await visit.parameters()
        let request = GraphRequest(visit: visit, pathVersion: version, parameters: parameters)
        let (isGet, isPost) = (request.method == .get, request.method == .post)
        switch path {
        case "/oauth/access_token" where isGet || isPost: return try await FacebookTokenEndpoint(request: request).respond()
        case "/me" where isGet: return try await GraphUser(request: request).respond()
        case "/app" where isGet: return try await GraphApp(request: request).respond()
        case "/debug_token" where isGet: return try await GraphDebugToken(request: request).respond()
        case "/device/login" where isPost: return try await FacebookDevices(request: request).login()
        case "/device/login_status" where isPost: return try await FacebookDevices(request: request).status()
        default: return try await node(request)
        }
    }

    /// Returns the pages for users: the hosts `www`, `m` and `developers`.
    private func page() async throws -> Response? {
        let dialog = FacebookDialog(visit: visit, version: version)
        let devices = DeviceVerification(visit: visit, path: FacebookDevices.path, meaning: FacebookDialog.meaning(of:))
        switch (visit.method, path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path) {
        case (.get, "/dialog/oauth"): return try await SignIn(endpoint: dialog).begin(visit.query())
        case (.post, SignIn.path): return try await SignIn(endpoint: dialog).submit(visit.form())
        case (.get, FacebookRedirect.successPath): return FacebookRedirect.successPage(of: visit)
        case (.get, FacebookDevices.path): return try await devices.show()
        case (.post, FacebookDevices.path + DeviceVerification.formPath): return try await devices.submit()
        case (.post, PageLogin.formPath): return try await PageLogin(visit: visit).signIn.submit(visit.form())
        case (.get, AccessTokenTool.path): return try await AccessTokenTool(visit: visit).respond()
        case (.get, AccessTokenDebugger.path): return try await AccessTokenDebugger(visit: visit).show()
        case (.post, AccessTokenDebugger.path): return try await AccessTokenDebugger(visit: visit).extend()
        case (.get, connectedApplications.path): return try await connectedApplications.show()
        case (.post, connectedApplications.path): return try await connectedApplications.submit()
        case (.get, let path) where path.hasPrefix(TestUsers.loginPath):
            return try await TestUserLogin(visit: visit, id: String(path.dropFirst(TestUsers.loginPath.count))).respond()
        default: return nil
        }
    }

    private var connectedApplications: ConnectedApplications {
        ConnectedApplications(visit: visit, path: "/settings/applications", meaning: FacebookDialog.meaning(of:)) { client, person in
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
