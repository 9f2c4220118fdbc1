import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Refresh tokens (RFC 6749 section 6, RFC 9700 section 4.14.2)")
struct RefreshTests {
    private func refresh(_ token: String, _ applicant: Applicant) -> FormFields {
        applicant.credentials.with(["grant_type": "refresh_token", "refresh_token": token])
    }

    private func login(scope: String = "openid profile offline_access") async throws -> (Visitor, Applicant, Answer) {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        let answer = try await applicant.tokens(visitor, scope: scope)
        #expect(answer.status == 200, "\(answer.body)")
        return (visitor, applicant, answer)
    }

    private func works(_ accessToken: String, _ visitor: Visitor) async throws -> Bool {
        try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(accessToken)"]).status == 200
    }

    @Test("are used once, and replaced by another")
    func rotation() async throws {
        let (visitor, applicant, first) = try await login()
        var token = first.refreshToken
        for _ in 0..<3 {
            let answer = try await visitor.post("company/token", refresh(token, applicant))
            #expect(answer.status == 200)
            #expect(!answer.refreshToken.isEmpty)
            #expect(answer.refreshToken != token)
            #expect(try await works(answer.accessToken, visitor))
            token = answer.refreshToken
        }
        #expect(try await works(first.accessToken, visitor))
    }

    @Test("that are used twice revoke all tokens of the login")
    func reuse() async throws {
        let (visitor, applicant, first) = try await login()
        let other = try await applicant.tokens(visitor)
        let second = try await visitor.post("company/token", refresh(first.refreshToken, applicant))
        let third = try await visitor.post("company/token", refresh(second.refreshToken, applicant))
        let stolen = try await visitor.post("company/token", refresh(first.refreshToken, applicant))
        #expect(stolen.status == 400)
        #expect(stolen.error == "invalid_grant")
        #expect(try await visitor.post("company/token", refresh(third.refreshToken, applicant)).error == "invalid_grant")
        for answer in [first, second, third] { #expect(try await !works(answer.accessToken, visitor)) }
        #expect(try await works(other.accessToken, visitor), "another login is another matter")
        #expect(try await visitor.post("company/token", refresh(other.refreshToken, applicant)).status == 200)
    }

    @Test("end when the code of the login is used again (RFC 6749 section 4.1.2)")
    func codeReuse() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        let request = Requests.company.with(["client_id": "app", "scope": "openid offline_access"])
        let code = try #require(try await visitor.authorize("company/authorize", request).redirected["code"])
        let form = applicant.credentials.with([
            "grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI,
        ])
        let first = try await visitor.post("company/token", form)
        let second = try await visitor.post("company/token", refresh(first.refreshToken, applicant))
        #expect(try await works(second.accessToken, visitor))
        #expect(try await visitor.post("company/token", form).error == "invalid_grant")
        #expect(try await !works(second.accessToken, visitor))
        #expect(try await visitor.post("company/token", refresh(second.refreshToken, applicant)).error == "invalid_grant")
    }

    @Test("can issue an access token of less scope without losing their own; more scope is refused")
    func scope() async throws {
        let (visitor, applicant, first) = try await login()
        let wider = try await visitor.post("company/token", refresh(first.refreshToken, applicant).with(["scope": "openid email"]))
        #expect(wider.status == 400)
        #expect(wider.error == "invalid_scope")
        let narrow = try await visitor.post("company/token", refresh(first.refreshToken, applicant).with(["scope": "openid"]))
        #expect(narrow.json["scope"] == "openid")
        let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(narrow.accessToken)"])
        #expect(info.json["sub"] == "employee-0001-alice")
        #expect(info.json["name"] == nil)
        let whole = try await visitor.post("company/token", refresh(narrow.refreshToken, applicant))
        #expect(whole.json["scope"] == "openid profile offline_access")
        let none = try await visitor.post("company/token", refresh(whole.refreshToken, applicant).with(["scope": "profile"]))
        #expect(none.status == 200)
        #expect(none.json["id_token"] == nil)
    }

    @Test("issue an ID token of the same login, without its nonce (OpenID Connect Core 1.0 section 12.2)")
    func identity() async throws {
        let (visitor, applicant, first) = try await login()
        try await visitor.cloud.age(by: .seconds(100))
        let second = try await visitor.post("company/token", refresh(first.refreshToken, applicant))
        let old = try JSONWebToken(parsing: try #require(first.json["id_token"]?.stringValue)).claims
        let new = try JSONWebToken(parsing: try #require(second.json["id_token"]?.stringValue)).claims
        for name in ["iss", "sub", "aud", "sid"] {
            #expect(old[name] != nil, "\(name)")
            #expect(old[name] == new[name], "\(name)")
        }
        #expect(old["nonce"] == "n-1")
        #expect(new["nonce"] == nil)
        // The age of the login has increased by 100 seconds.
        #expect(try #require(old["auth_time"]?.integerValue) - #require(new["auth_time"]?.integerValue) == 100)
        #expect(new["at_hash"]?.stringValue == JSONWebToken.accessTokenHash(second.accessToken))
    }

    @Test("are issued only for offline_access, and for clients with the grant")
    func offline() async throws {
        let (_, _, online) = try await login(scope: "openid profile")
        #expect(online.json["refresh_token"] == nil)
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud) { $0.grantTypes = ["authorization_code"] }
        #expect(try await applicant.tokens(visitor).json["refresh_token"] == nil)
        let refused = try await visitor.post("company/token", refresh("any", applicant))
        #expect(refused.status == 400)
        #expect(refused.error == "unauthorized_client")
    }

    @Test("expire after thirty days, and are bound to their client")
    func end() async throws {
        let (visitor, applicant, first) = try await login()
        let foreign = try await visitor.post(
            "company/token", ["grant_type": "refresh_token", "refresh_token": first.refreshToken, "client_id": "cli"])
        #expect(foreign.error == "invalid_grant")
        try await visitor.cloud.age(by: .seconds(30 * 86_400 - 60))
        let second = try await visitor.post("company/token", refresh(first.refreshToken, applicant))
        #expect(second.status == 200)
        try await visitor.cloud.age(by: .seconds(30 * 86_400))
        #expect(try await visitor.post("company/token", refresh(second.refreshToken, applicant)).error == "invalid_grant")
    }

    @Test("can be used by only one of several concurrent callers")
    func race() async throws {
        let (visitor, applicant, first) = try await login()
        let cloud = visitor.cloud
        let form = refresh(first.refreshToken, applicant)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await Visitor(cloud).post("company/token", form).status } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 400 } == 7)
    }
}
