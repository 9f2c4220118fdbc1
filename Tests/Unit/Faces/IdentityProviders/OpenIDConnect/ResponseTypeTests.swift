import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Response types and modes")
struct ResponseTypeTests {
    private func visitor(_ types: [String]? = Company.responseTypes, modes: [String]? = nil) async throws -> Visitor {
        Visitor(
            try await Company.sandbox { metadata in
                metadata.responseTypes = types
                metadata.responseModes = modes
            })
    }

    private func request(_ type: String, _ further: FormFields = [:]) -> FormFields {
        Requests.company.with(["response_type": type, "nonce": "n-1"]).with(further)
    }

    @Test("each returns what it names and no more, in the fragment except for code and none", arguments: Company.ResponseType.allCases)
    func parts(type: Company.ResponseType) async throws {
        let visitor = try await visitor()
        let answer = try await visitor.authorize("company/authorize", request(type.rawValue))
        let parts = Set(type.rawValue.split(separator: " "))
        let isInQuery = type == .code || type == .none
        #expect(answer.location.hasPrefix(Visitor.redirectURI + (isInQuery ? "?" : "#")))
        let fields = answer.redirected
        #expect((fields["code"] != nil) == parts.contains("code"))
        #expect((fields["id_token"] != nil) == parts.contains("id_token"))
        #expect((fields["access_token"] != nil) == parts.contains("token"))
        #expect(fields["token_type"] == (parts.contains("token") ? "Bearer" : nil))
        #expect(fields["expires_in"] == (parts.contains("token") ? "3600" : nil))
        #expect(fields["state"] == "s t&te")
        #expect(fields["iss"] == "\(Visitor.origin)/idp/company")
        if let token = fields["access_token"] {
            let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(token)"])
            #expect(info.json["name"] == "Alice Archer")
        }
        guard let identity = fields["id_token"] else { return }
        let claims = try await Company.claims(identity, at: visitor)
        #expect(claims["nonce"] == "n-1")
        #expect(claims["sub"] == "employee-0001-alice")
        #expect(claims["aud"] == "web-app")
        // See OpenID Connect Core 1.0 sections 3.2.2.10 and 3.3.2.11.
        #expect(claims["at_hash"]?.stringValue == fields["access_token"].map { JSONWebToken.accessTokenHash($0) })
        #expect(claims["c_hash"]?.stringValue == fields["code"].map { JSONWebToken.codeHash($0) })
        // See Financial-grade API Security Profile 1.0, part 2, section 5.1.1.
        #expect(claims["s_hash"]?.stringValue == JSONWebToken.codeHash("s t&te"))
        #expect(claims["name"] == "Alice Archer", "section 5.4: there may be no access token that userinfo could be asked with")
    }

    @Test(
        "an app with a custom scheme gets the token in the query, under the name that its client configures (R88)",
        arguments: ["token", "id_token"])
    func tokenParameter(type: String) async throws {
        let visitor = try await visitor(["token", "id_token"])
        try await visitor.change("company") { provider in
            guard let place = provider.clients.firstIndex(where: { $0.id == "web-app" }) else { return }
            provider.clients[place].redirectURIs.append("ridgeline://login")
            provider.clients[place].tokenParameter = "token"
        }
        let answer = try await visitor.authorize("company/authorize", request(type, ["redirect_uri": "ridgeline://login"]))
        #expect(answer.location.hasPrefix("ridgeline://login?"))
        let fields = try #require(FormFields(parsing: String(answer.location.dropFirst("ridgeline://login?".count))))
        #expect(fields["token"] != nil)
        #expect(fields["token"] == fields[type == "token" ? "access_token" : "id_token"])
        #expect(fields["state"] == "s t&te")
        // For other redirect URIs, responses follow OpenID Connect.
        let web = try await visitor.authorize("company/authorize", request(type))
        #expect(web.location.hasPrefix(Visitor.redirectURI + "#"))
        #expect(web.redirected["token"] == nil)
    }

    @Test("the parts may be in any order")
    func order() async throws {
        let answer = try await visitor(["token code id_token"]).authorize("company/authorize", request("id_token token code"))
        #expect(answer.redirected["code"] != nil)
        #expect(answer.redirected["id_token"] != nil)
    }

    @Test("the code of a hybrid flow is redeemed like any other (section 3.3.3)")
    func hybridCode() async throws {
        let visitor = try await visitor()
        let answer = try await visitor.authorize("company/authorize", request("code id_token token"))
        let tokens = try await visitor.post(
            "company/token",
            OpenIDConnectTests.client.with([
                "grant_type": "authorization_code", "code": try #require(answer.redirected["code"]), "redirect_uri": Visitor.redirectURI,
            ]))
        let first = try await Company.claims(answer.redirected["id_token"], at: visitor)
        let second = try await Company.claims(tokens.json["id_token"]?.stringValue, at: visitor)
        for name in ["iss", "sub", "aud", "nonce", "auth_time", "sid"] { #expect(first[name] == second[name], "\(name)") }
        #expect(second["c_hash"] == nil)
    }

    @Test(
        "an unregistered type is refused, in the response mode of that type",
        arguments: [("id_token", "#"), ("token", "#"), ("code id_token", "#"), ("none", "?")])
    func unregistered(type: String, mark: String) async throws {
        let answer = try await visitor(nil).get("company/authorize", request(type))
        #expect(answer.location.hasPrefix(Visitor.redirectURI + mark))
        #expect(answer.redirected["error"] == "unauthorized_client")
        #expect(answer.redirected["state"] == "s t&te")
    }

    @Test("a client without the code grant gets no code, unless it registers the response type (RFC 7591 section 2.1)")
    func noCodes() async throws {
        for (types, error) in [(nil, "unauthorized_client"), (["code"], nil)] as [([String]?, String?)] {
            let cloud = try await Company.sandbox { metadata in
                metadata.responseTypes = types
                metadata.grantTypes = ["client_credentials"]
            }
            #expect(try await Visitor(cloud).get("company/authorize", request("code")).redirected["error"] == error)
        }
    }

    @Test("a client with registered scopes is refused others (RFC 7591 section 2)")
    func registeredScope() async throws {
        let visitor = Visitor(try await Company.sandbox { $0.scope = "openid profile" })
        for scope in ["openid email", "openid unknown"] {
            let refused = try await visitor.get("company/authorize", request("code", ["scope": scope]))
            #expect(refused.redirected["error"] == "invalid_scope")
        }
        for scope in ["openid", "profile openid"] {
            #expect(try await visitor.get("company/authorize", request("code", ["scope": scope])).isLogin)
        }
    }

    @Test("unknown types and invalid combinations are refused", arguments: ["magic", "code magic", "code none", "code code"])
    func unknown(type: String) async throws {
        let answer = try await visitor(Company.responseTypes + [type]).get("company/authorize", request(type))
        #expect(answer.redirected["error"] == "unsupported_response_type")
    }

    @Test(
        "an ID token from the authorization endpoint needs a nonce (sections 3.2.2.1 and 3.3.2.11) and the scope openid",
        arguments: ["id_token", "id_token token", "code id_token", "code id_token token"])
    func nonce(type: String) async throws {
        let visitor = try await visitor()
        let without = try await visitor.get("company/authorize", request(type, ["nonce": ""]))
        #expect(without.redirected["error"] == "invalid_request")
        #expect(without.location.hasPrefix(Visitor.redirectURI + "#"))
        let plain = try await visitor.get("company/authorize", request(type, ["scope": "profile"]))
        #expect(plain.redirected["error"] == "invalid_scope")
    }

    @Test("code and code token need no nonce", arguments: ["code", "code token"])
    func noNonce(type: String) async throws {
        let answer = try await visitor().authorize("company/authorize", request(type, ["nonce": ""]))
        #expect(answer.redirected["code"] != nil)
    }

    @Test("tokens are not returned in the query", arguments: ["id_token", "token", "code id_token", "code token"])
    func query(type: String) async throws {
        let answer = try await visitor().get("company/authorize", request(type, ["response_mode": "query"]))
        #expect(answer.redirected["error"] == "invalid_request")
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "#"))
    }

    @Test("a client that registers the query mode gets tokens in the query, by default if it is the only mode")
    func registeredQuery() async throws {
        let both = try await visitor(modes: ["fragment", "query"])
        let asked = try await both.authorize("company/authorize", request("id_token token", ["response_mode": "query"]))
        #expect(asked.location.hasPrefix(Visitor.redirectURI + "?"))
        #expect(asked.redirected["access_token"] != nil)
        let usual = try await both.authorize("company/authorize", request("id_token token"))
        #expect(usual.location.hasPrefix(Visitor.redirectURI + "#"))
        let only = try await visitor(modes: ["query"])
        let answer = try await only.authorize("company/authorize", request("token"))
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "?"))
        #expect(answer.redirected["access_token"] != nil)
        let refused = try await only.get("company/authorize", request("code", ["response_mode": "form_post"]))
        #expect(refused.redirected["error"] == "invalid_request")
    }

    @Test("every type can be returned as a form", arguments: Company.ResponseType.allCases)
    func formPost(type: Company.ResponseType) async throws {
        let answer = try await visitor().authorize("company/authorize", request(type.rawValue, ["response_mode": "form_post"]))
        #expect(answer.status == 200)
        #expect(answer.body.contains("action=\"\(Visitor.redirectURI)\""))
        for part in type.rawValue.split(separator: " ") where part != "none" {
            #expect(answer.body.contains("name=\"\(part == "token" ? "access_token" : part)\""))
        }
    }

    @Test("errors of a form_post request are posted, too")
    func postedError() async throws {
        let answer = try await visitor().get(
            "company/authorize", request("code id_token", ["response_mode": "form_post", "prompt": "none"]))
        #expect(answer.status == 200)
        #expect(answer.body.contains("name=\"error\" value=\"login_required\""))
    }

    @Test("offline access needs a code (section 11)")
    func offline() async throws {
        let answer = try await visitor().authorize("company/authorize", request("token", ["scope": "openid offline_access"]))
        #expect(answer.redirected["scope"] == "openid")
    }

    @Test("a client with bound access tokens gets none from this endpoint (RFC 9449 section 5.2)", arguments: ["token", "code token"])
    func boundTokens(type: String) async throws {
        let visitor = try await visitor()
        try await Company.change(visitor.cloud) { $0.clients[0].metadata.dpopBoundAccessTokens = true }
        #expect(try await visitor.get("company/authorize", request(type)).redirected["error"] == "invalid_request")
        #expect(try await visitor.get("company/authorize", request("code id_token")).isLogin)
    }

    @Test("a public client needs a code challenge for types with a code, and only for them")
    func publicClient() async throws {
        let visitor = try await visitor()
        try await Company.change(visitor.cloud) { $0.clients[1].metadata.responseTypes = Company.responseTypes }
        let refused = try await visitor.get("company/authorize", request("code id_token", ["client_id": "cli"]))
        #expect(refused.redirected["error"] == "invalid_request")
        let answer = try await visitor.authorize("company/authorize", request("id_token", ["client_id": "cli"]))
        #expect(answer.redirected["id_token"] != nil)
    }

    @Test(
        "a native application may use any port of the loopback address (RFC 8252 section 7.3)",
        arguments: [
            ("http://127.0.0.1:51234/cb", true), ("http://127.0.0.1/cb", true), ("http://[::1]:7/cb", true),
            ("http://127.0.0.1:51234/other", false), ("http://127.0.0.1:x/cb", false), ("http://127.0.0.1:99999/cb", false),
            ("http://127.0.0.1.evil.example/cb", false), ("http://127.0.0.1:1@evil.example/cb", false), ("https://127.0.0.1:1/cb", false),
            ("com.example.app:/cb", true), ("com.example.app:/cb/other", false), ("com.example.app://cb", false),
        ])
    func native(uri: String, isTaken: Bool) async throws {
        let visitor = try await visitor()
        for type in ["native", "web"] {
            try await Company.change(visitor.cloud) { provider in
                provider.clients[0].metadata.applicationType = type
                provider.clients[0].redirectURIs = ["http://127.0.0.1:8765/cb", "http://[::1]/cb", "com.example.app:/cb"]
            }
            let answer = try await visitor.get("company/authorize", request("code", ["redirect_uri": uri, "prompt": "none"]))
            let isExact = uri.hasPrefix("com.")
            #expect(answer.location.hasPrefix(uri + "?") == (isTaken && (isExact || type == "native")), "\(type)")
        }
    }

    @Test("the code of a native application is redeemed with the port of the request")
    func nativePort() async throws {
        let visitor = try await visitor()
        try await Company.change(visitor.cloud) { $0.clients[0].metadata.applicationType = "native" }
        let uri = "http://127.0.0.1:50001/callback"
        let answer = try await visitor.authorize("company/authorize", request("code", ["redirect_uri": uri]))
        var form = OpenIDConnectTests.client
        form.set("grant_type", "authorization_code")
        form.set("code", try #require(answer.redirected["code"]))
        let other = try await visitor.post("company/token", form.with(["redirect_uri": Visitor.redirectURI]))
        #expect(other.json["error"] == "invalid_grant")
        #expect(try await visitor.post("company/token", form.with(["redirect_uri": uri])).status == 200)
    }
}
