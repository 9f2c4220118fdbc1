import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// Google's identity services: routes requests to the endpoints. The real ones are on several hosts; here they share one base URL.
struct GoogleFace {
    let visit: Visit

    func respond() async -> Response {
        await visit.respond(contentType: "application/json; charset=utf-8", route) { shared($0) }
    }

    private func route() async throws -> Response {
        if visit.method == .options { return .preflight }
        guard visit.method == .get || visit.method == .post else {
            throw OAuthError(.notFound, "There is nothing at this path.", status: .notFound)
        }
        return try await visit.respond(by: Self.routes, at: visit.path, as: self) { shared($0) }
    }

    private static let routes = RouteTable<GoogleFace>([
        .application("/.well-known/openid-configuration", takes: [.get]) { face in
            try await face.visit.enter("Discovery")
            return .json(.object(GoogleMetadata(visit: face.visit).document))
        },
        .application("/oauth2/v1/certs", takes: [.get]) { face in
            try await face.visit.enter("KeySet")
            return try await CertificateSet(visit: face.visit, subject: "federated-signon.system.gserviceaccount.com").response()
        },
        .application("/oauth2/v3/certs", "/oauth2/v2/certs", takes: [.get]) { face in
            try await face.visit.enter("KeySet")
            return try await KeySetDocument(visit: face.visit).response()
        },
        .page(IdentityProvider.Kind.google.descriptor.authorizationPath, "/o/oauth2/auth", takes: [.get]) { face in
            try await SignIn(endpoint: GoogleAuthorizeEndpoint(visit: face.visit)).begin(face.visit.query())
        },
        .page(SignIn.path, takes: [.post]) { face in
            try await SignIn(endpoint: GoogleAuthorizeEndpoint(visit: face.visit)).submit(face.visit.form())
        },
        .application(
            IdentityProvider.Kind.google.descriptor.tokenPath, "/o/oauth2/token", "/oauth2/v3/token", "/oauth2/v4/token", takes: [.post]
        ) { try await GoogleTokenEndpoint(visit: $0.visit).respond() },
        .application(IdentityProvider.Kind.google.descriptor.profilePath, "/oauth2/v3/userinfo", takes: [.get, .post]) {
            try await GoogleUserInfo(visit: $0.visit).respond()
        },
        .application("/oauth2/v1/userinfo", "/oauth2/v2/userinfo", "/userinfo/v2/me", takes: [.get, .post]) {
            try await GoogleUserInfo(visit: $0.visit, isOld: true).respond()
        },
        .application("/oauth2/v1/tokeninfo", "/oauth2/v2/tokeninfo", takes: [.get, .post]) {
            try await GoogleTokenInfo(visit: $0.visit, isOld: true).respond()
        },
        .application("/tokeninfo", "/oauth2/v3/tokeninfo", takes: [.get, .post]) {
            try await GoogleTokenInfo(visit: $0.visit).respond()
        },
        .application("/revoke", "/o/oauth2/revoke", takes: [.get, .post]) { try await GoogleRevocation(visit: $0.visit).respond() },
        .application("/device/code", "/o/oauth2/device/code", takes: [.post]) { try await GoogleDevices(visit: $0.visit).begin() },
        .page(GoogleSelect.path, takes: [.get]) { face in try await GoogleSelect(visit: face.visit).signIn.begin(face.visit.query()) },
        .page(GoogleSelect.formPath, takes: [.post]) { face in try await GoogleSelect(visit: face.visit).signIn.submit(face.visit.form()) },
        .application(GoogleButtonScript.path, takes: [.get]) { _ in GoogleButtonScript.response },
        .application(GoogleFedCM.wellKnownPath, takes: [.get]) { try await GoogleFedCM(visit: $0.visit).wellKnown() },
        .application(GoogleFedCM.configurationPath, takes: [.get]) { try await GoogleFedCM(visit: $0.visit).configuration() },
        .application(GoogleFedCM.clientPath, takes: [.get]) { try await GoogleFedCM(visit: $0.visit).client() },
        // Only the page of the client may read these, not those of all origins.
        .page(GoogleFedCM.accountsPath, takes: [.get]) { try await GoogleFedCM(visit: $0.visit).accounts() },
        .page(GoogleFedCM.assertionPath, takes: [.post]) { try await GoogleFedCM(visit: $0.visit).assertion() },
        .page(GoogleFedCM.loginPath, takes: [.get]) { try await $0.applications.show() },
        .page(GoogleDevices.path, takes: [.get]) { try await $0.devices.show() },
        .page(DeviceVerification.formPath(of: GoogleDevices.path), takes: [.post]) { try await $0.devices.submit() },
        .page(PageLogin.formPath, takes: [.post]) { face in try await PageLogin(visit: face.visit).signIn.submit(face.visit.form()) },
        .page(applicationsPath, takes: [.get]) { try await $0.applications.show() },
        .page(applicationsPath, takes: [.post]) { try await $0.applications.submit() },
    ])

    private static let applicationsPath = "/connections"

    private var devices: DeviceVerification {
        DeviceVerification(visit: visit, path: GoogleDevices.path, meaning: GoogleAuthorizeEndpoint.meaning(of:))
    }

    /// The page "Third-party apps and services" of `myaccount.google.com`.
    private var applications: ConnectedApplications {
        ConnectedApplications(visit: visit, path: Self.applicationsPath, meaning: GoogleAuthorizeEndpoint.meaning(of:)) { client, person in
            try await visit.cloud.grants.revokeAll(provider: visit.provider.name, client: client.id, person: person.name)
        }
    }

    private func shared(_ response: Response) -> Response {
        var response = response
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }
}
