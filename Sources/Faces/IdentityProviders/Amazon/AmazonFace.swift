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
        await visit.respond(contentType: Self.contentType, { marked(try await route()) }, finish: { marked($0) })
    }

    private func marked(_ response: Response) -> Response {
        var response = response
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
        if visit.method == .options, isForApplications { return .preflight }
        // Some applications write o2 in upper case.
        return try await visit.respond(by: Self.routes, at: visit.path.lowercased(), as: self) { $0 }
    }

    private static let routes = RouteTable<AmazonFace>([
        .page(IdentityProvider.Kind.amazon.descriptor.authorizationPath, takes: [.get]) { face in
            try await SignIn(endpoint: AmazonAuthorizeEndpoint(visit: face.visit)).begin(face.visit.query())
        },
        .page(SignIn.path, takes: [.post]) { face in
            try await SignIn(endpoint: AmazonAuthorizeEndpoint(visit: face.visit)).submit(face.visit.form())
        },
        .application(IdentityProvider.Kind.amazon.descriptor.tokenPath, takes: [.post]) {
            try await AmazonTokenEndpoint(visit: $0.visit).respond()
        },
        .application("/auth/o2/tokeninfo", takes: [.get]) { face in
            try await face.answer(AmazonTokenInfo(visit: face.visit).document())
        },
        .application(IdentityProvider.Kind.amazon.descriptor.profilePath, takes: [.get]) { face in
            try await face.answer(AmazonProfile(visit: face.visit).document())
        },
        .application("/auth/o2/create/codepair", takes: [.post]) { try await AmazonDevices(visit: $0.visit).create() },
        .page(AmazonDevices.path, takes: [.get]) { try await $0.devices.show() },
        .page(DeviceVerification.formPath(of: AmazonDevices.path), takes: [.post]) { try await $0.devices.submit() },
        .page(PageLogin.formPath, takes: [.post]) { face in try await PageLogin(visit: face.visit).signIn.submit(face.visit.form()) },
        .page(applicationsPath, takes: [.get]) { try await $0.applications.show() },
        .page(applicationsPath, takes: [.post]) { try await $0.applications.submit() },
    ])

    private static let applicationsPath = "/ap/adam"

    private var devices: DeviceVerification {
        DeviceVerification(visit: visit, path: AmazonDevices.path, meaning: AmazonAuthorizeEndpoint.meaning(of:))
    }

    /// The page "Manage Login with Amazon", where users revoke an application's access.
    private var applications: ConnectedApplications {
        ConnectedApplications(visit: visit, path: Self.applicationsPath, meaning: AmazonAuthorizeEndpoint.meaning(of:)) { client, person in
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
