import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import WireFormats

@Suite("Issuers at the hosts of their canonical names")
struct IssuerHostTests {
    @Test("the canonical issuer has its endpoints at its own host")
    func ownHost() async throws {
        let cloud = try await Visitor.sandbox()
        let visitor = Visitor(cloud, host: "login.company.example")
        let metadata = try await visitor.get("/.well-known/openid-configuration").json
        #expect(metadata["issuer"] == "https://login.company.example")
        #expect(metadata["token_endpoint"] == "http://login.company.example/token")
        let answer = try await visitor.authorize("/authorize", Requests.company.with(["nonce": "n"]))
        let code = try #require(answer.redirected["code"])
        #expect(answer.redirected["iss"] == "https://login.company.example")
        let tokens = try await visitor.post(
            "/token",
            ["grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI],
            headers: [.authorization: basic("web-app", "web-app-client-secret")])
        let claims = try await Company.claims(tokens.json["id_token"]?.stringValue, at: Visitor(cloud))
        #expect(claims["iss"] == "https://login.company.example")
    }

    @Test("the configured origins of endpoints do not apply at the issuer's own host")
    func origins() async throws {
        let cloud = try await Visitor.sandbox()
        try await Company.change(cloud) { $0.origins = IssuerOrigins(issuer: "http://virga:4566", browser: "http://localhost:4566") }
        let metadata = try await Visitor(cloud, host: "login.company.example").get("/.well-known/openid-configuration").json
        #expect(metadata["issuer"] == "https://login.company.example")
        #expect(metadata["authorization_endpoint"] == "http://login.company.example/authorize")
    }

    @Test(
        "a path belongs to the issuer below whose path it is",
        arguments: [
            ("shared.example", "/tenants/7/token", "tenant", "/token"), ("shared.example", "/tenants/7", "tenant", ""),
            ("shared.example", "/.well-known/openid-configuration/tenants/7", "tenant", "/.well-known/openid-configuration"),
            ("shared.example", "/tenants/7/deep/jwks", "deep", "/jwks"), ("slash.example", "/jwks", "slash", "/jwks"),
            ("graph.microsoft.com", "/oidc/userinfo", "entra", "/oidc/userinfo"),
            ("login.microsoftonline.com", "/common/oauth2/v2.0/token", "entra", "/oauth2/v2.0/token"),
        ] as [(String, String, String, String)])
    func places(host: String, path: String, provider: String, rest: String) throws {
        #expect(try Self.directory.issuer(atHost: host, path: path) == IssuerPlace(provider: provider, path: rest))
    }

    @Test(
        "other paths and hosts belong to none",
        arguments: [
            ("shared.example", "/tenants/70/token"), ("shared.example", "/"), ("other.example", "/token"),
            ("slash.example", "/idp/tenant/token"), ("slash.example", "/.well-known/webfinger"),
            ("login.microsoftonline.com", "/another-tenant/oauth2/v2.0/token"),
        ] as [(String, String)])
    func noPlace(host: String, path: String) throws {
        #expect(try Self.directory.issuer(atHost: host, path: path) == nil)
    }

    @Test("a removed issuer leaves its host")
    func removal() throws {
        var directory = try Self.directory
        directory.remove(DirectoryRecord.ID(.provider, "slash"))
        #expect(!directory.hasIssuer(atHost: "slash.example"))
        #expect(directory.hasIssuer(atHost: "shared.example"))
    }

    private static var directory: Directory {
        get throws {
            var directory = Directory()
            for (name, issuer, product) in [
                ("tenant", "https://shared.example/tenants/7", nil), ("deep", "https://shared.example/tenants/7/deep", nil),
                ("slash", "https://slash.example/", nil),
                ("entra", "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0", IssuerProduct.entra),
            ] as [(String, String, IssuerProduct?)] {
                var provider = IdentityProvider(
                    name: name, kind: .openIDConnect, issuer: issuer, clients: [], people: [], tokenLifetime: 3600)
                provider.product = product
                directory.put(.provider(provider))
            }
            return directory
        }
    }
}
