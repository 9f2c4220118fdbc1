import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import WireFormats

@testable import CognitoFaces

extension UserPoolSandbox {
    /// What the pool of the tests has besides: a domain, a resource server, and apps that use both.
    static let hosted = """
        domain: "people", customDomain: "sign-in.company.example",
        resourceServers: [{identifier: "https://orders.example", name: "orders", scopes: {read: "Read orders", write: "Write orders"}}],
        """

    /// The settings of `secret`, an app that asks for tokens of its own.
    static let machine = """
        oauthFlows: ["client_credentials"], oauthScopes: ["https://orders.example/read", "https://orders.example/write"]
        """

    /// The settings of an app that signs people in.
    static let web = """
        oauthFlows: ["code", "implicit"], oauthScopes: ["openid", "email", "profile", "aws.cognito.signin.user.admin",
          "https://orders.example/read"], callbackURLs: ["https://app.example/callback", "https://app.example/other?x=1"],
        logoutURLs: ["https://app.example/bye"], identityProviders: ["COGNITO"]
        """

    /// Runs a test with a pool that has a domain, and in which `app` signs people in.
    /// - Parameters:
    ///   - pool: further settings of the pool.
    ///   - app: further settings of the app.
    static func runHosted(pool: String = "", app: String = "", _ test: (UserPoolSandbox) async throws -> Void) async throws {
        let further = app.isEmpty ? web : web + ", " + app
        try await run(seed(pool: hosted + pool, client: further), test)
    }

    /// An OpenID Connect provider of the sandbox and Google, and the app that accepts both.
    static let federation = """
        identityProviders: [
          {name: "Company", type: "OIDC", identifiers: ["company.example"], attributeMapping: {email: "email", "custom:team": "team"},
           details: {client_id: "pool", client_secret: "pool-secret", authorize_scopes: "openid email",
             oidc_issuer: "https://login.company.example", attributes_request_method: "GET"}},
          {name: "Google", type: "Google", attributeMapping: {email: "email", email_verified: "email_verified"},
           details: {client_id: "google-pool", client_secret: "google-secret", authorize_scopes: "openid email"}},
        ],
        """

    /// The providers of the sandbox.
    static let providers = """
        identityProviders: [
          {name: "company", issuer: "https://login.company.example", clients: [{id: "pool", secret: "pool-secret"}],
           people: [{name: "ann", subject: "1", password: "p"}]},
          {name: "google", clients: [{id: "google-pool", secret: "google-secret"}], people: [{name: "ann", subject: "110", password: "p"}]},
        ],
        """

    /// An answer of the pool's domain.
    struct HostedAnswer {
        let status: Int
        let headers: HTTPFields
        let text: String

        var location: String? { headers[.location] }
        var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
        subscript(name: String) -> JSONValue? { json[name] }
    }

    /// Sends a request to the domain of the pool.
    /// - Parameters:
    ///   - target: the path and query below the pool.
    ///   - host: the host of the domain; `nil` for the path form.
    func hosted(
        _ method: HTTPRequest.Method, _ target: String, _ form: FormFields? = nil, fields: HTTPFields = [:], host: String? = nil
    ) async throws -> HostedAnswer {
        var fields = fields
        if form != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
        let base = host == nil ? "/" + Self.pool : ""
        let call = Call(
            method, base + target, fields, body: ByteBuffer(string: form?.encoded ?? ""), authority: host ?? "localhost:4566", cloud: cloud)
        let path = String(call.path.dropFirst(base.count))
        let face = UserPoolsFace(authenticator: Authenticator(cloud: cloud), functions: functions, outbound: outbound)
        let response = await face.respond(to: call, atDomainOf: Self.pool, path: path)
        let body = try await response.collectedBody()
        return HostedAnswer(
            status: Int(response.status.code), headers: response.headers, text: String(decoding: body, as: UTF8.self))
    }
}
