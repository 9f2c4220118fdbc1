import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// Google's identity services: routes requests to the endpoints. The real ones are on several hosts; here they share one base URL.
struct GoogleFace {
    let visit: Visit

    func respond() async -> Response {
        do {
            return try await route()
        } catch let page as FaultPage {
            return page.shown(in: visit)
        } catch {
            return shared(visit.answer(toError: error, contentType: "application/json; charset=utf-8"))
        }
    }

    private func route() async throws -> Response {
        let method = visit.method
        if method == .options { return .preflight }
        guard method == .get || method == .post else { throw Self.notFound }
        switch visit.path {
        case "/.well-known/openid-configuration" where method == .get:
            try await visit.enter("Discovery")
            return shared(.json(.object(GoogleMetadata(visit: visit).document)))
        case "/oauth2/v1/certs" where method == .get:
            try await visit.enter("KeySet")
            return shared(try await GoogleCertificates(visit: visit).response())
        case "/oauth2/v3/certs" where method == .get, "/oauth2/v2/certs" where method == .get:
            try await visit.enter("KeySet")
            return shared(try await KeySetDocument(visit: visit).response())
        case "/o/oauth2/v2/auth" where method == .get, "/o/oauth2/auth" where method == .get:
            return try await SignIn(endpoint: GoogleAuthorizeEndpoint(visit: visit)).begin(visit.query())
        case SignIn.path where method == .post:
            return try await SignIn(endpoint: GoogleAuthorizeEndpoint(visit: visit)).submit(visit.form())
        case "/token", "/o/oauth2/token", "/oauth2/v3/token", "/oauth2/v4/token":
            return shared(try await GoogleTokenEndpoint(visit: visit).respond())
        case "/v1/userinfo", "/oauth2/v3/userinfo": return shared(try await GoogleUserInfo(visit: visit).respond())
        case "/oauth2/v1/userinfo", "/oauth2/v2/userinfo":
            return shared(try await GoogleUserInfo(visit: visit, isOld: true).respond())
        case "/oauth2/v1/tokeninfo", "/oauth2/v2/tokeninfo":
            return shared(try await GoogleTokenInfo(visit: visit, isOld: true).respond())
        case "/tokeninfo", "/oauth2/v3/tokeninfo": return shared(try await GoogleTokenInfo(visit: visit).respond())
        case "/revoke", "/o/oauth2/revoke": return shared(try await GoogleRevocation(visit: visit).respond())
        case "/device/code", "/o/oauth2/device/code": return shared(try await GoogleDevices(visit: visit).begin())
        default: return try await page()
        }
    }

    /// Returns the other pages for users.
    private func page() async throws -> Response {
        let devices = DeviceVerification(visit: visit, path: GoogleDevices.path, meaning: GoogleAuthorizeEndpoint.meaning(of:))
        switch (visit.method, visit.path) {
        case (.get, GoogleDevices.path): return try await devices.show()
        case (.post, GoogleDevices.path + DeviceVerification.formPath): return try await devices.submit()
        case (.post, PageLogin.formPath): return try await PageLogin(visit: visit).signIn.submit(visit.form())
        case (.get, applications.path): return try await applications.show()
        case (.post, applications.path): return try await applications.submit()
        default: throw Self.notFound
        }
    }

    private static let notFound = OAuthError(.notFound, "There is nothing at this path.", status: .notFound)

    /// The page "Third-party apps and services" of `myaccount.google.com`.
    private var applications: ConnectedApplications {
        ConnectedApplications(visit: visit, path: "/connections", meaning: GoogleAuthorizeEndpoint.meaning(of:)) { client, person in
            try await visit.cloud.grants.revokeAll(provider: visit.provider.name, client: client.id, person: person.name)
        }
    }

    private func shared(_ response: Response) -> Response {
        var response = response
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }
}
