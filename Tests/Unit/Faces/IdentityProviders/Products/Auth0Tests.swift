import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import WireFormats

@Suite("An issuer of Auth0")
struct Auth0Tests {
    private static let issuer = "https://tenant.auth0.com/"

    private func sandbox() async throws -> Cloud {
        let cloud = try await Company.sandbox { $0.postLogoutRedirectURIs = ["http://localhost:8765/bye"] }
        try await Company.change(cloud) { provider in
            provider.issuer = Self.issuer
            provider.product = .auth0
            provider.accessTokenFormat = .jwt
        }
        return cloud
    }

    @Test("the issuer ends with a slash, and an audience is that of the access token")
    func login() async throws {
        let cloud = try await sandbox()
        let visitor = Visitor(cloud, host: "tenant.auth0.com")
        let metadata = try await visitor.get("/.well-known/openid-configuration").json
        #expect(metadata["issuer"]?.stringValue == Self.issuer)
        #expect(metadata["jwks_uri"] == "http://tenant.auth0.com/.well-known/jwks.json")
        #expect(try await visitor.get("/.well-known/jwks.json").json["keys"]?.arrayValue?.isEmpty == false)
        let request = Requests.company.with(["audience": "https://api.example/"])
        let code = try #require(try await visitor.authorize("/authorize", request).redirected["code"])
        let tokens = try await visitor.post(
            "/oauth/token",
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI, "client_id": "web-app",
                "client_secret": "web-app-client-secret",
            ])
        let identity = try await Company.claims(tokens.json["id_token"]?.stringValue, at: Visitor(cloud))
        #expect(identity["iss"]?.stringValue == Self.issuer)
        let access = try await Company.claims(tokens.json["access_token"]?.stringValue, at: Visitor(cloud))
        #expect(access["aud"] == ["https://api.example/", "https://tenant.auth0.com/userinfo"])
        #expect(access["azp"] == "web-app")
        let header: HTTPFields = [.authorization: "Bearer \(tokens.json["access_token"]?.stringValue ?? "")"]
        #expect(try await visitor.get("/userinfo", headers: header).json["sub"] == identity["sub"])
    }

    @Test("its own logout asks nobody, and returns to a registered URL only")
    func logout() async throws {
        let visitor = Visitor(try await sandbox(), host: "tenant.auth0.com")
        _ = try await visitor.authorize("/authorize", Requests.company)
        let answer = try await visitor.get("/v2/logout", ["client_id": "web-app", "returnTo": "http://localhost:8765/bye"])
        #expect(answer.location == "http://localhost:8765/bye")
        #expect(try await visitor.get("/authorize", Requests.company).isLogin, "the session has ended")
        let other = try await visitor.get("/v2/logout", ["client_id": "web-app", "returnTo": "https://other.example/"])
        #expect(other.status == 400)
    }
}
