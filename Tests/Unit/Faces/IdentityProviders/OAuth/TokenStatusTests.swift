import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Introspection and revocation (RFC 7662, RFC 7009)")
struct TokenStatusTests {
    private func sandbox() async throws -> (Visitor, Applicant, Answer) {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        return (visitor, applicant, try await applicant.tokens(visitor))
    }

    private func status(_ visitor: Visitor, _ token: String, _ applicant: Applicant) async throws -> JSONValue {
        try await visitor.post("company/introspect", applicant.credentials.with(["token": token])).json
    }

    @Test("returns the values of an access token (RFC 7662 section 2.2)")
    func access() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let status = try await status(visitor, tokens.accessToken, applicant)
        #expect(status["active"] == true)
        #expect(status["sub"] == "employee-0001-alice")
        #expect(status["client_id"] == "app")
        #expect(status["scope"] == "openid profile offline_access")
        #expect(status["token_type"] == "Bearer")
        #expect(status["username"] == "alice")
        #expect(status["iss"]?.stringValue == "\(Visitor.origin)/idp/company")
        #expect(try #require(status["exp"]?.integerValue) - #require(status["iat"]?.integerValue) == 3600)
        let refresh = try await self.status(visitor, tokens.refreshToken, applicant)
        #expect(refresh["active"] == true)
        #expect(refresh["token_type"] == nil)
    }

    @Test("returns nothing but inactive for another token")
    func inactive() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let identity = try #require(tokens.json["id_token"]?.stringValue)
        for token in ["garbage", identity, String(tokens.accessToken.dropLast())] {
            #expect(try await status(visitor, token, applicant) == ["active": false])
        }
        let form = applicant.credentials.with(["grant_type": "refresh_token", "refresh_token": tokens.refreshToken])
        _ = try await visitor.post("company/token", form)
        #expect(try await status(visitor, tokens.refreshToken, applicant) == ["active": false], "it has been used")
        try await visitor.cloud.age(by: .seconds(3600))
        #expect(try await status(visitor, tokens.accessToken, applicant) == ["active": false], "it has expired")
    }

    @Test("returns the effective times of an aged token")
    func aged() async throws {
        let (visitor, applicant, _) = try await sandbox()
        try await Company.change(visitor.cloud) { $0.accessTokenFormat = .jwt }
        let token = try await applicant.tokens(visitor).accessToken
        func times() async throws -> [Int64] {
            let status = try await status(visitor, token, applicant)
            return try ["iat", "exp", "auth_time"].map { try #require(status[$0]?.integerValue) }
        }
        let before = try await times()
        try await visitor.cloud.age(by: .seconds(600))
        #expect(try await times() == before.map { $0 - 600 })
    }

    @Test("reads a client's own signed token")
    func ownToken() async throws {
        let (visitor, applicant, _) = try await sandbox()
        let answer = try await visitor.post("company/token", applicant.credentials.with(["grant_type": "client_credentials"]))
        let status = try await status(visitor, answer.accessToken, applicant)
        #expect(status["active"] == true)
        #expect(status["client_id"] == "app")
        #expect(status["jti"] != nil)
    }

    @Test("requires client authentication (RFC 7662 section 2.1)")
    func authentication() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let nobody = try await visitor.post("company/introspect", ["token": tokens.accessToken])
        #expect(nobody.status == 401)
        #expect(nobody.error == "invalid_client")
        let publicClient = try await visitor.post("company/introspect", ["client_id": "cli", "token": tokens.accessToken])
        #expect(publicClient.status == 401)
        #expect(publicClient.error == "invalid_client")
        let wrong = try await visitor.post(
            "company/introspect", ["token": tokens.accessToken], headers: [.authorization: basic("app", "wrong")])
        #expect(wrong.status == 401)
        #expect(wrong.headers[.wwwAuthenticate]?.hasPrefix("Basic") == true)
        #expect(try await visitor.post("company/introspect", applicant.credentials).error == "invalid_request")
        #expect(try await visitor.get("company/introspect").status == 405)
        // Any registered client may introspect the tokens of other clients.
        let other: FormFields = ["client_id": "web-app", "client_secret": "web-app-client-secret", "token": tokens.accessToken]
        #expect(try await visitor.post("company/introspect", other).json["client_id"] == "app")
    }

    @Test("ignores a wrong token type hint (RFC 7662 section 2.1)", arguments: ["access_token", "refresh_token", "magic"])
    func hint(hint: String) async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        for token in [tokens.accessToken, tokens.refreshToken] {
            let form = applicant.credentials.with(["token": token, "token_type_hint": hint])
            #expect(try await visitor.post("company/introspect", form).json["active"] == true)
        }
    }

    @Test("revokes a token of the client, and ignores unknown ones (RFC 7009 section 2.2)")
    func revocation() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let foreign: FormFields = ["client_id": "web-app", "client_secret": "web-app-client-secret", "token": tokens.accessToken]
        let refusal = try await visitor.post("company/revoke", foreign)
        #expect(refusal.status == 400, "section 2.1")
        #expect(refusal.error == "invalid_grant", "section 2.1")
        #expect(try await status(visitor, tokens.accessToken, applicant)["active"] == true)
        let unknown = try await visitor.post("company/revoke", applicant.credentials.with(["token": "unknown"]))
        #expect(unknown.status == 200)
        #expect(unknown.body.isEmpty)
        #expect(try await visitor.post("company/revoke", applicant.credentials.with(["token": tokens.accessToken])).status == 200)
        #expect(try await status(visitor, tokens.accessToken, applicant) == ["active": false])
        #expect(try await status(visitor, tokens.refreshToken, applicant)["active"] == true)
        let nobody = try await visitor.post("company/revoke", ["token": tokens.refreshToken])
        #expect(nobody.status == 401)
        #expect(nobody.error == "invalid_client")
        #expect(try await visitor.post("company/revoke", applicant.credentials).error == "invalid_request")
    }

    @Test("revokes the access tokens of a login with its refresh token (RFC 7009 section 2.1)")
    func family() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let other = try await applicant.tokens(visitor)
        #expect(try await visitor.post("company/revoke", applicant.credentials.with(["token": tokens.refreshToken])).status == 200)
        #expect(try await status(visitor, tokens.accessToken, applicant) == ["active": false])
        #expect(try await status(visitor, other.accessToken, applicant)["active"] == true)
    }
}
