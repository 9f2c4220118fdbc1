import Cloud
import Cryptography
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("OpenID Connect")
struct OpenIDConnectTests {
    static let client: FormFields = ["client_id": "web-app", "client_secret": "web-app-client-secret"]

    private func code(_ visitor: Visitor, _ further: (String, String)...) async throws -> String {
        var request = Requests.company
        for (name, value) in further { request.set(name, value) }
        return try #require(try await visitor.authorize("company/authorize", request).redirected["code"])
    }

    private func exchange(_ code: String, _ further: (String, String)...) -> FormFields {
        var form = Self.client
        form.set("grant_type", "authorization_code")
        form.set("code", code)
        form.set("redirect_uri", Visitor.redirectURI)
        for (name, value) in further { form.set(name, value) }
        return form
    }

    @Test(
        "discovery names the issuer by the host of the request and allows every origin",
        arguments: [
            "openid-configuration", "oauth-authorization-server",
        ])
    func discovery(document: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get("company/.well-known/\(document)")
        #expect(answer.json["issuer"]?.stringValue == "\(Visitor.origin)/idp/company")
        #expect(answer.json["token_endpoint"]?.stringValue == "\(Visitor.origin)/idp/company/token")
        #expect(answer.json["request_uri_parameter_supported"] == true)
        let claims = Set(answer.json["claims_supported"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        #expect(claims.isSuperset(of: ["sub", "auth_time", "s_hash", "preferred_username", "updated_at", "address", "phone_number"]))
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
    }

    @Test("a login ends with tokens that verify with the published keys")
    func codeFlow() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let code = try await code(visitor, ("nonce", "n-1"), ("scope", "openid email offline_access"))
        let answer = try await visitor.post("company/token", exchange(code))
        #expect(answer.status == 200)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        let accessToken = try #require(answer.json["access_token"]?.stringValue)
        let token = try JSONWebToken(parsing: try #require(answer.json["id_token"]?.stringValue))
        let keys = try await visitor.get("company/jwks")
        let key = try #require(JSONWebKeySet(parsing: Array(keys.body.utf8))?.keys.first { $0.keyID == token.keyID })
        try token.verify(with: key.key)
        #expect(token.claims["iss"]?.stringValue == "\(Visitor.origin)/idp/company")
        #expect(token.claims["aud"] == "web-app")
        #expect(token.claims["sub"] == "employee-0001-alice")
        #expect(token.claims["nonce"] == "n-1")
        #expect(token.claims["email"] == "alice@company.example")
        #expect(token.claims["email_verified"] == true)
        #expect(token.claims["name"] == nil, "profile was not asked for")
        #expect(token.claims["at_hash"]?.stringValue == Array(SHA256.hash(accessToken).prefix(16)).base64url)
        let (issued, expiry) = (token.claims["iat"]?.integerValue, token.claims["exp"]?.integerValue)
        #expect(try #require(expiry) - #require(issued) == 3600)
        #expect(try #require(token.claims["auth_time"]?.integerValue) <= #require(issued))

        let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(accessToken)"])
        #expect(info.json["sub"] == "employee-0001-alice")
        #expect(info.json["email"] == "alice@company.example")
        #expect(info.entry.caller == "alice")
        let posted = try await visitor.post("company/userinfo", ["access_token": accessToken])
        #expect(posted.json == info.json)

        let refreshToken = try #require(answer.json["refresh_token"]?.stringValue)
        let refresh: FormFields = ["grant_type": "refresh_token", "refresh_token": refreshToken]
        let fresh = try await visitor.post(
            "company/token", refresh, headers: [.authorization: basic("web-app", "web-app-client-secret")])
        let second = try JSONWebToken(parsing: try #require(fresh.json["id_token"]?.stringValue))
        #expect(second.claims["sub"] == token.claims["sub"])
        #expect(second.claims["nonce"] == nil)
        #expect(second.claims["auth_time"] == token.claims["auth_time"])
        let next: FormFields = ["grant_type": "refresh_token", "refresh_token": try #require(fresh.json["refresh_token"]?.stringValue)]
        let wider = try await visitor.post("company/token", next.with(Self.client).with(["scope": "openid profile"]))
        #expect(wider.json["error"] == "invalid_scope")
        let foreign = try await visitor.post("company/token", next.with(["client_id": "cli"]))
        #expect(foreign.json["error"] == "invalid_grant")
    }

    @Test("without the scope openid it is OAuth 2.0")
    func plainOAuth() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.post("company/token", exchange(try await code(visitor, ("scope", "email"))))
        #expect(answer.json["id_token"] == nil)
        #expect(answer.json["refresh_token"] == nil)
        let token = try #require(answer.json["access_token"]?.stringValue)
        let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(token)"])
        #expect(info.status == 403)
        #expect(info.json["error"] == "insufficient_scope")
    }

    @Test(
        "an invalid request with a valid redirect URI returns an error to the application",
        arguments: [
            (["response_type": ""], "invalid_request"), (["response_type": "magic"], "unsupported_response_type"),
            (["request": "x"], "invalid_request_object"), (["request_uri": "https://a.example/"], "invalid_request_uri"),
            (["registration": "{}"], "registration_not_supported"), (["response_mode": "magic"], "invalid_request"),
            (["max_age": "soon"], "invalid_request"), (["claims": "[]"], "invalid_request"),
            (["prompt": "none login"], "invalid_request"), (["prompt": "magic"], "invalid_request"),
            (["max_age": "-1"], "invalid_request"), (["max_age": "+5"], "invalid_request"),
            (["code_challenge": Requests.challenge], "invalid_request"),
            (["code_challenge": Requests.challenge, "code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge": "short", "code_challenge_method": "S256"], "invalid_request"),
            (["code_challenge_method": "S256"], "invalid_request"), (["client_id": "cli"], "invalid_request"),
            (["id_token_hint": "garbage"], "invalid_request"),
        ] as [(FormFields, String)])
    func authorizeFaults(parameters: FormFields, error: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get("company/authorize", Requests.company.with(parameters))
        #expect(answer.status == 302)
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "?"))
        #expect(answer.redirected["error"] == error)
        #expect(answer.redirected["state"] == "s t&te")
        #expect(answer.redirected["iss"] == "\(Visitor.origin)/idp/company")
    }

    @Test("a repeated parameter is refused")
    func repeatedParameter() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.send(.get, "company/authorize?\(Requests.company.encoded)&state=again")
        #expect(answer.redirected["error"] == "invalid_request")
        let twice = try await visitor.send(
            .get, "company/authorize?\(Requests.company.encoded)&redirect_uri=https%3A%2F%2Fevil.example")
        #expect(twice.status == 400)
        #expect(twice.location.isEmpty)
    }

    @Test(
        "a redirect URI that is not registered is never used",
        arguments: [
            "", "http://localhost:8765/callback/", "http://localhost:8765/callback?x=1", "http://LOCALHOST:8765/callback",
            "http://localhost:8765/callback%0d%0aX:1", "https://evil.example/", "javascript:alert(1)",
        ])
    func unregisteredRedirect(uri: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get("company/authorize", Requests.company.with(["redirect_uri": uri]))
        #expect(answer.status == 400)
        #expect(answer.location.isEmpty)
        #expect(answer.body.contains("role=\"alert\""))
    }

    @Test("responses are returned in the fragment or in a form on request")
    func responseModes() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let fragment = try await visitor.authorize("company/authorize", Requests.company.with(["response_mode": "fragment"]))
        #expect(fragment.location.hasPrefix(Visitor.redirectURI + "#code="))
        let form = try await visitor.authorize("company/authorize", Requests.company.with(["response_mode": "form_post"]))
        #expect(form.status == 200)
        #expect(form.body.contains("action=\"\(Visitor.redirectURI)\""))
        #expect(form.body.contains("name=\"state\" value=\"s t&amp;te\""))
        let script = SHA256.hash("document.forms[0].submit()").base64
        #expect(form.headers[.contentSecurityPolicy]?.contains("script-src 'sha256-\(script)'") == true)
    }

    @Test("an authorization request may be posted")
    func postedRequest() async throws {
        #expect(try await Visitor(try await Visitor.sandbox()).post("company/authorize", Requests.company).isLogin)
    }

    @Test("a hint at another user shows the login page")
    func tokenHint() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.post("company/token", exchange(try await code(visitor)))
        let silent = Requests.company.with([
            "prompt": "none", "id_token_hint": try #require(answer.json["id_token"]?.stringValue),
        ])
        #expect(try await visitor.get("company/authorize", silent).redirected["code"] != nil)
        let other = Visitor(visitor.cloud)
        _ = try await other.authorize("company/authorize", Requests.company, as: "bob")
        #expect(try await other.get("company/authorize", silent).redirected["error"] == "login_required")
    }

    @Test("a code that is used twice revokes its tokens")
    func codeReuse() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let code = try await code(visitor)
        let token = try #require(try await visitor.post("company/token", exchange(code)).json["access_token"]?.stringValue)
        let header: HTTPFields = [.authorization: "Bearer \(token)"]
        #expect(try await visitor.get("company/userinfo", headers: header).status == 200)
        let second = try await visitor.post("company/token", exchange(code))
        #expect(second.status == 400)
        #expect(second.json["error"] == "invalid_grant")
        let info = try await visitor.get("company/userinfo", headers: header)
        #expect(info.status == 401)
        #expect(info.json["error"] == "invalid_token")
        #expect(info.headers[.wwwAuthenticate]?.hasPrefix("Bearer realm=\"company\", error=\"invalid_token\"") == true)
    }

    @Test("codes and tokens age with the sandbox")
    func aging() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let old = try await code(visitor)
        let token = try await visitor.post("company/token", exchange(try await code(visitor))).json["access_token"]?.stringValue
        try await visitor.cloud.age(by: .seconds(3601))
        #expect(try await visitor.post("company/token", exchange(old)).json["error"] == "invalid_grant")
        let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(try #require(token))"])
        #expect(info.status == 401)
    }

    @Test("a code verifier must match the challenge, and is refused without one")
    func proofKey() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let bound = try await code(visitor, ("code_challenge", Requests.challenge), ("code_challenge_method", "S256"))
        for form in [exchange(bound), exchange(bound, ("code_verifier", Requests.challenge))] {
            #expect(try await visitor.post("company/token", form).json["error"] == "invalid_grant")
        }
        #expect(try await visitor.post("company/token", exchange(bound, ("code_verifier", Requests.verifier))).status == 200)
        let free = exchange(try await code(visitor), ("code_verifier", Requests.verifier))
        #expect(try await visitor.post("company/token", free).json["error"] == "invalid_grant")
    }

    @Test("a public client needs only its verifier")
    func publicClient() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let code = try await code(
            visitor, ("client_id", "cli"), ("code_challenge", Requests.challenge), ("code_challenge_method", "S256"))
        let form: FormFields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI, "client_id": "cli",
            "code_verifier": Requests.verifier,
        ]
        #expect(try await visitor.post("company/token", form.with(["client_secret": "guess"])).status == 401)
        #expect(try await visitor.post("company/token", form).status == 200)
    }

    @Test("a code is bound to its client and its redirect URI, and survives attempts of other clients")
    func codeBinding() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let code = try await code(visitor)
        let elsewhere = exchange(code, ("redirect_uri", "http://127.0.0.1:8765/callback"))
        #expect(try await visitor.post("company/token", elsewhere).json["error"] == "invalid_grant")
        let other: FormFields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI, "client_id": "cli",
        ]
        #expect(try await visitor.post("company/token", other).json["error"] == "invalid_grant")
        #expect(try await visitor.post("company/token", exchange(code)).status == 200)
    }

    @Test(
        "errors of the token endpoint",
        arguments: [
            (["grant_type": ""], 400, "invalid_request"), (["grant_type": "password"], 400, "unauthorized_client"),
            (["grant_type": "client_credentials"], 400, "unauthorized_client"), (["grant_type": "magic"], 400, "unsupported_grant_type"),
            (["code": ""], 400, "invalid_request"), (["redirect_uri": ""], 400, "invalid_request"),
            (["code": "guess"], 400, "invalid_grant"), (["client_secret": "wrong"], 401, "invalid_client"),
            (["client_secret": ""], 401, "invalid_client"), (["client_id": "nobody"], 401, "invalid_client"),
            (["client_id": ""], 401, "invalid_client"),
        ] as [(FormFields, Int, String)])
    func tokenFaults(fields: FormFields, status: Int, error: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.post("company/token", exchange("unknown").with(fields))
        #expect(answer.status == status)
        #expect(answer.json["error"]?.stringValue == error)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.entry.errorCode == error)
    }

    @Test("credentials in the header are form-encoded, refused with a challenge, and allowed in one place only")
    func basicAuthentication() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let form: FormFields = ["grant_type": "magic"]
        func answer(_ header: String, _ form: FormFields) async throws -> Answer {
            try await visitor.post("company/token", form, headers: [.authorization: header])
        }
        let good = try await answer(basic("web%2Dapp", "web-app-client-secret"), form)
        #expect(good.json["error"] == "unsupported_grant_type")
        for header in [basic("web-app", "wrong"), "Basic !", "Bearer x", "Basic"] {
            let refused = try await answer(header, form)
            #expect(refused.status == 401)
            #expect(refused.json["error"] == "invalid_client")
            #expect(refused.headers[.wwwAuthenticate]?.hasPrefix("Basic realm=") == true)
        }
        let twice = try await answer(basic("web-app", "web-app-client-secret"), form.with(Self.client))
        #expect(twice.json["error"] == "invalid_request")
    }

    @Test("the token endpoint accepts one posted form")
    func tokenEndpointForms() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        #expect(try await visitor.get("company/token").status == 405)
        let json = try await visitor.send(.post, "company/token", body: "{}", headers: [.contentType: "application/json"])
        #expect(json.status == 400)
        #expect(json.json["error"] == "invalid_request")
        let twice = try await visitor.send(.post, "company/token", body: "grant_type=a&grant_type=b")
        #expect(twice.json["error"] == "invalid_request")
        let broken = try await visitor.send(.post, "company/token", body: "grant_type=%zz")
        #expect(broken.json["error"] == "invalid_request")
        let long = try await visitor.send(.post, "company/token", body: "code=" + String(repeating: "a", count: 1 << 17))
        #expect(long.json["error"] == "invalid_request")
    }

    @Test("an error description omits characters that it must not contain")
    func descriptions() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.post("company/token", Self.client.with(["grant_type": "a\"b\\c\nd\u{e9}"]))
        #expect(answer.json["error_description"] == "The grant_type abcd is not supported.")
    }

    @Test("preflight requests are allowed from any origin")
    func preflight() async throws {
        let answer = try await Visitor(try await Visitor.sandbox()).send(.options, "company/token")
        #expect(answer.status == 204)
        #expect(answer.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
    }

    @Test("userinfo without a token returns a challenge without an error")
    func userInfoWithoutToken() async throws {
        let answer = try await Visitor(try await Visitor.sandbox()).get("company/userinfo")
        #expect(answer.status == 401)
        #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"company\"")
    }
}

func basic(_ name: String, _ secret: String) -> String { "Basic " + Array("\(name):\(secret)".utf8).base64 }
