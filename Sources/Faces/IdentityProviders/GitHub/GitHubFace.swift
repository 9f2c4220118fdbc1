import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// GitHub as the login of OAuth apps: routes requests to the endpoints. The real ones are on `github.com` and `api.github.com`.
struct GitHubFace {
    let visit: Visit

    func respond() async -> Response {
        await visit.respond(
            { marked(try await route()) }, refusing: { (error: GitHubError) in marked(refuse(error)) },
            failing: { marked(refuse(GitHubError($0, at: surface))) })
    }

    /// Whether the request is one to the REST API. The host decides if nothing is at the path.
    private var surface: GitHubError.Surface {
        Self.api.match(visit.method, visit.path) != nil || visit.call.host == "api.github.com" ? .api : .oauth
    }

    private func marked(_ response: Response) -> Response {
        guard surface == .api else { return response }
        var response = response
        response.headers[.gitHubMediaType] = "github.v3; format=json"
        response.headers[.gitHubRequestID] = visit.call.id.uuid
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlExposeHeaders] =
            "Link, X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-GitHub-Media-Type, X-GitHub-Request-Id"
        return response
    }

    private func refuse(_ error: GitHubError) -> Response {
        visit.call.note(errorCode: error.code, message: error.message)
        return error.response(visit.gitHubFormat)
    }

    private func route() async throws -> Response {
        switch (Self.api.match(visit.method, visit.path), Self.site.match(visit.method, visit.path)) {
        case (.route(let route)?, _), (_, .route(let route)?): return try await route.perform(self)
        case (.preflight?, _): return .preflight
        // GitHub does not tell unsupported methods from unknown paths.
        default: throw GitHubError.notFound(at: surface)
        }
    }

    /// The REST API.
    private static let api = RouteTable<GitHubFace>([
        .application(IdentityProvider.Kind.github.descriptor.profilePath, takes: [.get]) { try await GitHubUser.respond(in: $0.visit) },
        .application("/user/emails", takes: [.get]) { try await GitHubEmail.respond(in: $0.visit) },
        ProviderRoute(
            paths: [GitHubApplications.path], methods: [.post, .patch, .delete], isShared: true, answersPreflight: true, isPrefix: true
        ) { try await GitHubApplications(visit: $0.visit).respond() },
    ])

    /// The pages for users, and the OAuth endpoints. GitHub supports no requests of browser applications to the latter.
    private static let site = RouteTable<GitHubFace>([
        .page(IdentityProvider.Kind.github.descriptor.authorizationPath, takes: [.get]) { face in
            try await SignIn(endpoint: GitHubAuthorizeEndpoint(visit: face.visit)).begin(face.visit.query())
        },
        .page(SignIn.path, takes: [.post]) { face in
            try await SignIn(endpoint: GitHubAuthorizeEndpoint(visit: face.visit)).submit(face.visit.form())
        },
        ProviderRoute(paths: [IdentityProvider.Kind.github.descriptor.tokenPath], methods: [.post]) {
            try await GitHubTokenEndpoint(visit: $0.visit).respond()
        },
        ProviderRoute(paths: ["/login/device/code"], methods: [.post]) { try await GitHubDevices(visit: $0.visit).begin() },
        .page(GitHubDevices.path, takes: [.get]) { try await $0.devices.show() },
        .page(DeviceVerification.formPath(of: GitHubDevices.path), takes: [.post]) { try await $0.devices.submit() },
        .page(PageLogin.formPath, takes: [.post]) { face in try await PageLogin(visit: face.visit).signIn.submit(face.visit.form()) },
        .page(applicationsPath, takes: [.get]) { try await $0.applications.show() },
        .page(applicationsPath, takes: [.post]) { try await $0.applications.submit() },
        // The link to one application shows them all.
        ProviderRoute(paths: ["/settings/connections/applications/"], methods: [.get], isPrefix: true) {
            try await $0.applications.show()
        },
    ])

    private static let applicationsPath = "/settings/applications"

    private var devices: DeviceVerification {
        DeviceVerification(visit: visit, path: GitHubDevices.path, meaning: GitHubScope.meaning(of:))
    }

    /// The page "Authorized OAuth Apps", where users revoke an application's access.
    private var applications: ConnectedApplications {
        ConnectedApplications(visit: visit, path: Self.applicationsPath, meaning: GitHubScope.meaning(of:)) { client, person in
            try await visit.cloud.grants.revokeAll(provider: visit.provider.name, client: client.id, person: person.name)
        }
    }
}
