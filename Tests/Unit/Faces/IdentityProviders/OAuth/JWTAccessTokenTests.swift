import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Access tokens as JWTs (RFC 9068)")
struct JWTAccessTokenTests {
    private func sandbox() async throws -> (Visitor, Applicant) {
        let visitor = Visitor(try await Visitor.sandbox())
        try await Company.change(visitor.cloud) { $0.accessTokenFormat = .jwt }
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        return (visitor, applicant)
    }

    @Test("have an audience, and verify with the published keys (section 2)")
    func claims() async throws {
        let (visitor, applicant) = try await sandbox()
        let tokens = try await applicant.tokens(visitor, headers: [.dpop: try applicant.proof()])
        let claims = try await Company.claims(tokens.accessToken, at: visitor)
        #expect(try JSONWebToken(parsing: tokens.accessToken).header["typ"] == "at+jwt")
        #expect(claims["iss"]?.stringValue == "\(Visitor.origin)/idp/company")
        #expect(claims["aud"] == claims["iss"])
        #expect(claims["sub"] == "employee-0001-alice")
        #expect(claims["client_id"] == "app")
        #expect(claims["jti"] != nil)
        #expect(claims["scope"] == "openid profile offline_access")
        #expect(claims["auth_time"] != nil)
        #expect(claims["cnf"] == ["jkt": .string(try applicant.thumbprint)])
        #expect(try #require(claims["exp"]?.integerValue) - #require(claims["iat"]?.integerValue) == 3600)
    }

    @Test("of the client credentials grant are about the client (section 2.2)")
    func client() async throws {
        let (visitor, applicant) = try await sandbox()
        let form = applicant.credentials.with(["grant_type": "client_credentials", "scope": "profile"])
        let token = try await visitor.post("company/token", form).accessToken
        let claims = try await Company.claims(token, at: visitor)
        #expect(try JSONWebToken(parsing: token).header["typ"] == "at+jwt")
        #expect(claims["sub"] == "app")
        #expect(claims["client_id"] == "app")
        #expect(claims["scope"] == "profile")
        #expect(claims["jti"] != nil)
        #expect(claims["iss"] == .string("\(Visitor.origin)/idp/company"))
        #expect(claims["aud"] == claims["iss"])
        #expect(claims["auth_time"] == nil)
        #expect(claims["realm_access"] == nil)
        #expect(claims["preferred_username"] == nil)
        let status = try await visitor.post("company/introspect", applicant.credentials.with(["token": token])).json
        #expect(status["active"] == true, "\(status)")
        #expect(status["sub"] == "app", "\(status)")
        #expect(status["client_id"] == "app", "\(status)")
    }

    @Test("are accepted by the issuer, and can be revoked")
    func revocation() async throws {
        let (visitor, applicant) = try await sandbox()
        let token = try await applicant.tokens(visitor).accessToken
        let headers: HTTPFields = [.authorization: "Bearer \(token)"]
        #expect(try await visitor.get("company/userinfo", headers: headers).status == 200)
        let form = applicant.credentials.with(["token": token])
        #expect(try await visitor.post("company/introspect", form).json["active"] == true)
        #expect(try await visitor.post("company/revoke", form).status == 200)
        #expect(try await visitor.get("company/userinfo", headers: headers).status == 401)
    }

    @Test("name the resource of a token exchange (section 3)")
    func audience() async throws {
        let (visitor, applicant) = try await sandbox()
        let token = try await applicant.tokens(visitor).accessToken
        let answer = try await visitor.post(
            "company/token",
            applicant.credentials.with([
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": token,
                "subject_token_type": "urn:ietf:params:oauth:token-type:access_token", "resource": "https://api.example/",
            ]))
        #expect(try await Company.claims(answer.accessToken, at: visitor)["aud"] == "https://api.example/", "\(answer.body)")
    }

    @Test("are not ID tokens: a token exchange distinguishes them (section 5)")
    func confusion() async throws {
        let (visitor, applicant) = try await sandbox()
        let token = try await applicant.tokens(visitor).accessToken
        let answer = try await visitor.post(
            "company/token",
            applicant.credentials.with([
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": token,
                "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
            ]))
        #expect(answer.error == "invalid_request")
    }
}
