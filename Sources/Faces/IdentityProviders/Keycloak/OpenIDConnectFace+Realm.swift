import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import Tokens
import WireFormats

extension OpenIDConnectFace {
    private static let protocolPath = "/protocol/openid-connect"

    /// The routes of the issuer under the paths of a Keycloak realm, for test suites and applications made for Keycloak. The realm is the
    /// provider's name. (Keycloak, "Securing applications and services guide", "OpenID Connect endpoints".)
    static let realmRoutes = RouteTable<OpenIDConnectFace>(endpoints(at: \.realmPath) + realmEndpoints)

    private static let realmEndpoints: [ProviderRoute<OpenIDConnectFace>] = [
        .application("", "/", takes: [.get]) { try await $0.realm() },
        .application(ProviderEndpoint.keySet.realmPath, takes: [.get]) { face in
            try await face.visit.enter("KeySet")
            return try await KeySetDocument(visit: face.visit).responseWithCertificates()
        },
        .page("\(protocolPath)/3p-cookies/step1.html", takes: [.get]) {
            try await CheckSessionEndpoint(visit: $0.visit).cookieProbe()
        },
        .page("\(protocolPath)/registrations", takes: [.get, .post]) { try await $0.authorize(isRegistration: true) },
        .page(RealmLoginPage.formPath, takes: [.post]) { face in
            try await AuthorizeEndpoint(visit: face.visit).signIn.submit(face.visit.form())
        },
        .page(RealmRegistrationPage.formPath, takes: [.post]) { face in
            try await AuthorizeEndpoint(visit: face.visit).signIn.submitRegistration(face.visit.form())
        },
        ProviderRoute(paths: [ProviderEndpoint.endSession.realmPath], methods: [.get, .post], answersPreflight: true) {
            try await RealmLogoutEndpoint(visit: $0.visit).respond()
        },
    ]

    /// Returns the public information of the realm, the older way to its key.
    private func realm() async throws -> Response {
        try await visit.enter("Realm")
        let key = try await visit.cloud.signingKey(for: visit.provider.name)
        guard case .rsa(let publicKey) = key.verificationKey else { throw OAuthError.internalError }
        return .json([
            "realm": .string(visit.provider.name), "public_key": .string(publicKey.subjectPublicKeyInfo.base64),
            "token-service": .string(visit.baseURL + Self.protocolPath), "account-service": .string(visit.baseURL + "/account"),
            "tokens-not-before": 0,
        ])
    }
}
