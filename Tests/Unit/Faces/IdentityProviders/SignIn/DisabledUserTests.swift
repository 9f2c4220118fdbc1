import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@Suite("Disabled users")
struct DisabledUserTests {
    /// Disables alice at a provider.
    private func disable(_ visitor: Visitor, at provider: String = "company") async throws {
        var alice = try #require(visitor.cloud.directory.providers[provider]?.person(named: "alice"))
        alice.isEnabled = false
        let changed = alice
        try await visitor.cloud.edit { $0.put(changed, at: provider) }
    }

    @Test(
        "get the login page again, in the words of the provider",
        arguments: [
            ("company", "company/authorize", Requests.company, "This account is disabled. Contact your administrator."),
            ("google", "google/o/oauth2/v2/auth", Requests.google, "Your account has been disabled."),
            ("amazon", "amazon/ap/oa", Requests.amazon, "Your account has been disabled."),
            ("facebook", "facebook/dialog/oauth", Requests.facebook, "Your account has been disabled."),
        ])
    func login(provider: String, path: String, request: FormFields, text: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        // The session that the browser has already does not count.
        _ = try await visitor.authorize(path, request)
        try await disable(visitor, at: provider)
        let page = try await visitor.get(path, request)
        #expect(page.isLogin)
        let again = try await visitor.press("person", "alice", on: page)
        #expect(again.isLogin)
        #expect(again.body.contains(text))
    }

    @Test("get Keycloak's texts in a realm")
    func realm() async throws {
        let visitor = Visitor(try await Visitor.sandbox(), base: "/realms/")
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        let connect = "company/protocol/openid-connect"
        let form: FormFields = ["grant_type": "password", "username": "alice", "password": "alice-password", "scope": "openid"]
        let tokens = try await visitor.post("\(connect)/token", form.with(applicant.credentials))
        try await disable(visitor)
        let password = try await visitor.post("\(connect)/token", form.with(applicant.credentials))
        #expect(password.status == 400)
        #expect(password.error == "invalid_grant")
        #expect(password.json["error_description"] == "Account disabled")
        let refresh: FormFields = ["grant_type": "refresh_token", "refresh_token": tokens.refreshToken]
        let refreshed = try await visitor.post("\(connect)/token", refresh.with(applicant.credentials))
        #expect(refreshed.status == 400)
        #expect(refreshed.error == "invalid_grant")
        #expect(refreshed.json["error_description"] == "User disabled")
        let page = try await visitor.get("\(connect)/auth", Requests.company.with(["client_id": "app"]))
        let action = String(page.body.components(after: "action=\"", upTo: "\"").dropFirst("/realms/".count))
        let again = try await visitor.post(action, ["form": page.formValue, "person": "alice"])
        #expect(again.body.contains("Account is disabled, contact your administrator."))
    }

    @Test("lose what was issued to their applications, until they are enabled again")
    func issued() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud) { $0.jwks = try applicant.jwks }
        let request = Requests.company.with(["client_id": "app"])
        let code = try #require(try await visitor.authorize("company/authorize", request).redirected["code"])
        let tokens = try await applicant.tokens(visitor)
        try await disable(visitor)
        let password: FormFields = ["grant_type": "password", "username": "alice", "password": "alice-password"]
        let redeemed: FormFields = ["grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI]
        let refresh: FormFields = ["grant_type": "refresh_token", "refresh_token": tokens.refreshToken]
        for form in [
            password, redeemed, refresh,
            ["grant_type": FurtherGrant.jwtBearer.rawValue, "assertion": try applicant.assertion(["sub": "alice"])],
        ] {
            let answer = try await visitor.post("company/token", form.with(applicant.credentials))
            #expect(answer.error == "invalid_grant", "\(form)")
            #expect(answer.json["error_description"] == "The user is disabled.")
        }
        let wrong = try await visitor.post("company/token", password.with(applicant.credentials).with(["password": "x"]))
        #expect(wrong.json["error_description"] == "Invalid user credentials", "only the person learns it")
        let exchange: FormFields = [
            "grant_type": FurtherGrant.tokenExchange.rawValue, "subject_token": tokens.json["id_token"]?.stringValue ?? "",
            "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
        ]
        #expect(try await visitor.post("company/token", exchange.with(applicant.credentials)).error == "invalid_request")
        let status = applicant.credentials.with(["token": tokens.accessToken])
        #expect(try await visitor.post("company/introspect", status).json == ["active": false])
        let headers: HTTPFields = [.authorization: "Bearer \(tokens.accessToken)"]
        #expect(try await visitor.get("company/userinfo", headers: headers).status == 401)

        var alice = try #require(visitor.cloud.directory.providers["company"]?.person(named: "alice"))
        alice.isEnabled = true
        let enabled = alice
        try await visitor.cloud.edit { $0.put(enabled, at: "company") }
        #expect(try await visitor.get("company/userinfo", headers: headers).status == 200)
        #expect(try await visitor.post("company/token", refresh.with(applicant.credentials)).status == 200)
    }
}
