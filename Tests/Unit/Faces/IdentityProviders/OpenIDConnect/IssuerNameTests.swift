import Cloud
import Directory
import Federation
import Seeds
import Testing
import Tokens
import WireFormats

@Suite("Host names of an issuer")
struct IssuerNameTests {
    private func visitor(_ origins: IssuerOrigins?) async throws -> Visitor {
        let cloud = try await Company.sandbox { $0.responseTypes = ["code", "id_token"] }
        try await Company.change(cloud) { $0.origins = origins }
        return Visitor(cloud)
    }

    @Test("issuer, pages and other endpoints can have different hosts")
    func split() async throws {
        let visitor = try await visitor(
            .init(issuer: "https://id.example", browser: "https://login.example:8443", backChannel: "http://virga:4566"))
        let document = try await visitor.get("company/.well-known/openid-configuration").json
        #expect(document["issuer"] == "https://id.example/idp/company")
        for name in ["authorization_endpoint", "end_session_endpoint"] {
            #expect(document[name]?.stringValue?.hasPrefix("https://login.example:8443/idp/company/") == true, "\(name)")
        }
        for name in ["token_endpoint", "userinfo_endpoint", "jwks_uri", "pushed_authorization_request_endpoint"] {
            #expect(document[name]?.stringValue?.hasPrefix("http://virga:4566/idp/company/") == true, "\(name)")
        }
        let token = try await Company.login(visitor)
        #expect(try await Company.claims(token, at: visitor)["iss"] == "https://id.example/idp/company")
        let silent = Requests.company.with(["id_token_hint": token, "prompt": "none"])
        let answer = try await visitor.get("company/authorize", silent)
        #expect(answer.redirected["code"] != nil)
        #expect(answer.redirected["iss"] == "https://id.example/idp/company")
        let provider = visitor.cloud.directory.provider(issuer: "https://id.example/idp/company", names: HostNames())
        #expect(provider?.name == "company")
        #expect(visitor.cloud.directory.provider(issuer: "https://id.example/idp/facebook", names: HostNames()) == nil)
        #expect(visitor.cloud.directory.provider(issuer: "https://id.example.evil.example/idp/company", names: HostNames()) == nil)
    }

    @Test("endpoints without a configured host use that of the request")
    func partly() async throws {
        let document = try await visitor(.init(browser: "https://login.example")).get("company/.well-known/openid-configuration").json
        #expect(document["issuer"]?.stringValue == "\(Visitor.origin)/idp/company")
        #expect(document["authorization_endpoint"] == "https://login.example/idp/company/authorize")
        #expect(document["token_endpoint"]?.stringValue == "\(Visitor.origin)/idp/company/token")
    }

    @Test(
        "origins in the seed are validated",
        arguments: ["https://a.example/", "a.example", "ftp://a.example", "https://", "https://a@b"])
    func strictSeed(origin: String) throws {
        func seed(_ origin: String) -> SeedFile {
            SeedFile(
                name: "test.json5",
                text: Array(
                    """
                    {identityProviders: [{name: "company", issuer: "https://login.company.example", origins: {issuer: "\(origin)"}}]}
                    """.utf8))
        }
        #expect(throws: (any Error).self) { try seed(origin).decode() }
        _ = try seed("http://[::1]:4566").decode()
    }

    @Test(
        "metadata is served before and after the issuer's path (RFC 8414 section 3.1)",
        arguments: ["openid-configuration", "oauth-authorization-server"], ["/idp/company", "/realms/company", "/auth/realms/company"])
    func wellKnown(document: String, issuer: String) throws {
        let path = try #require(WellKnownPath("/.well-known/\(document)\(issuer)"))
        #expect(path.document == "/.well-known/\(document)")
        #expect(path.issuerPath == issuer)
    }

    @Test("other paths are not those of metadata", arguments: ["/.well-known/openid-configuration", "/.well-known/jwks/idp/company", "/x"])
    func notWellKnown(path: String) { #expect(WellKnownPath(path) == nil) }
}
