import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// Login with Amazon: routes requests to its endpoints. The real ones are on `www.amazon.com` and `api.amazon.com`.
struct AmazonFace {
    let visit: Visit

    static let contentType = "application/json;charset=UTF-8"

    func respond() async -> Response {
        var response: Response
        do {
            response = try await route()
        } catch let page as FaultPage {
            return page.shown(in: visit)
        } catch {
            response = visit.answer(toError: error, contentType: Self.contentType)
        }
        response.headers[.amazonRequestID] = visit.call.id.uuid
        // The SDK for JavaScript redeems codes and reads profiles from the application's own page, so it needs CORS.
        if isForApplications { response.headers[.accessControlAllowOrigin] = "*" }
        return response
    }

    /// Whether the path is an endpoint of `api.amazon.com` rather than a page.
    private var isForApplications: Bool {
        let path = visit.path.lowercased()
        return path.hasPrefix("/auth/o2/") || path == "/user/profile"
    }

    private func route() async throws -> Response {
        let method = visit.method
        if method == .options, isForApplications { return .preflight }
        let devices = DeviceVerification(visit: visit, path: AmazonDevices.path, meaning: AmazonAuthorizeEndpoint.meaning(of:))
        // Some applications write o2 in upper case.
        switch visit.path.lowercased() {
        case "/ap/oa" where method == .get:
            return try await SignIn(endpoint: AmazonAuthorizeEndpoint(visit: visit)).begin(visit.query())
        case SignIn.path where method == .post:
            return try await SignIn(endpoint: AmazonAuthorizeEndpoint(visit: visit)).submit(visit.form())
        case "/auth/o2/token": return try await AmazonTokenEndpoint(visit: visit).respond()
        case "/auth/o2/tokeninfo" where method == .get: return try await answer(AmazonTokenInfo(visit: visit).document())
        case "/user/profile" where method == .get: return try await answer(AmazonProfile(visit: visit).document())
        case "/auth/o2/create/codepair": return try await AmazonDevices(visit: visit).create()
        case AmazonDevices.path where method == .get: return try await devices.show()
        case AmazonDevices.path + DeviceVerification.formPath where method == .post: return try await devices.submit()
        case PageLogin.formPath where method == .post: return try await PageLogin(visit: visit).signIn.submit(visit.form())
        case applications.path where method == .get: return try await applications.show()
        case applications.path where method == .post: return try await applications.submit()
        default: throw OAuthError(.notFound, "There is nothing at this path.", status: .notFound)
        }
    }

    /// The page "Manage Login with Amazon", where users revoke an application's access.
    private var applications: ConnectedApplications {
        ConnectedApplications(visit: visit, path: "/ap/adam", meaning: AmazonAuthorizeEndpoint.meaning(of:)) { client, person in
            try await visit.cloud.grants.revokeAll(provider: visit.provider.name, client: client.id, person: person.name)
        }
    }

    private func answer(_ document: JSONObject) -> Response {
        Response(
            status: .ok, contentType: Self.contentType, headers: .unstored, text: JSONValue.object(document).serialized())
    }
}

extension HTTPField.Name {
    static let amazonRequestID = HTTPField.Name(literal: "x-amzn-RequestId")
    static let amazonAccessToken = HTTPField.Name(literal: "x-amz-access-token")
}
