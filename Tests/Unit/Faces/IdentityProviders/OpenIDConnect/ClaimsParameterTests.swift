import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Requests beyond scopes")
struct ClaimsParameterTests {
    private func visitor(_ describe: (inout ClientMetadata) -> Void = { _ in }) async throws -> Visitor {
        Visitor(
            try await Company.sandbox { metadata in
                metadata.responseTypes = ["code", "id_token", "id_token token"]
                describe(&metadata)
            })
    }

    private func request(_ further: FormFields) -> FormFields {
        Requests.company.with(["response_type": "id_token token", "scope": "openid", "nonce": "n"]).with(further)
    }

    @Test("claims are returned where they are requested (OpenID Connect Core 1.0 section 5.5)")
    func places() async throws {
        let visitor = try await visitor()
        let claims = #"{"userinfo":{"name":{"essential":true},"picture":null},"id_token":{"email":null,"amr":null},"other":1}"#
        let answer = try await visitor.authorize("company/authorize", request(["claims": claims]))
        let identity = try await Company.claims(answer.redirected["id_token"], at: visitor)
        #expect(identity["email"] == "alice@company.example")
        #expect(identity["amr"] == ["pwd"])
        #expect(identity["name"] == nil)
        let token = try #require(answer.redirected["access_token"])
        let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(token)"])
        #expect(info.json["name"] == "Alice Archer")
        #expect(info.json["email"] == nil)
    }

    @Test("requested claims are kept by the code and the refresh token")
    func throughCode() async throws {
        let visitor = try await visitor()
        let answer = try await visitor.authorize(
            "company/authorize",
            Requests.company.with(["scope": "openid offline_access", "claims": #"{"userinfo":{"email":null}}"#, "acr_values": "1"]))
        let tokens = try await visitor.post(
            "company/token",
            OpenIDConnectTests.client.with([
                "grant_type": "authorization_code", "code": try #require(answer.redirected["code"]), "redirect_uri": Visitor.redirectURI,
            ]))
        let identity = try await Company.claims(tokens.json["id_token"]?.stringValue, at: visitor)
        #expect(identity["acr"] == "1")
        #expect(identity["email"] == nil)
        let refresh: FormFields = ["grant_type": "refresh_token", "refresh_token": try #require(tokens.json["refresh_token"]?.stringValue)]
        let fresh = try await visitor.post("company/token", refresh.with(OpenIDConnectTests.client))
        let token = try #require(fresh.json["access_token"]?.stringValue)
        let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(token)"])
        #expect(info.json["email"] == "alice@company.example")
    }

    @Test(
        "a claims parameter that is malformed is refused",
        arguments: [
            "", "x", "[]", #"{"id_token":1}"#, #"{"userinfo":{"name":true}}"#,
            #"{"id_token":{"sub":{"value":"a"}},"userinfo":{"sub":{"value":"b"}}}"#,
        ])
    func malformed(claims: String) async throws {
        let answer = try await visitor().get("company/authorize", request(["claims": claims]))
        #expect(claims.isEmpty ? answer.isLogin : answer.redirected["error"] == "invalid_request")
    }

    @Test("another subject than the requested one is an error (section 5.5.1)")
    func subject() async throws {
        let visitor = try await visitor()
        let asked = request(["claims": #"{"id_token":{"sub":{"value":"employee-0002-bob"}}}"#])
        let refused = try await visitor.authorize("company/authorize", asked, as: "alice")
        #expect(refused.redirected["error"] == "login_required")
        let answer = try await visitor.authorize("company/authorize", asked, as: "bob")
        #expect(try await Company.claims(answer.redirected["id_token"], at: visitor)["sub"] == "employee-0002-bob")
    }

    @Test(
        "acr is the first requested value that a login satisfies, or else the login's own",
        arguments: [
            (["acr_values": "2 1"], "1"), (["acr_values": "phr"], "1"), (["scope": "openid"], nil),
            (
                ["acr_values": "gold urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport 1"],
                "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"
            ),
            (["claims": #"{"id_token":{"acr":{"essential":true,"values":["2","1"]}}}"#], "1"),
            (["claims": #"{"id_token":{"acr":{"value":"gold"}}}"#], "1"), (["claims": #"{"id_token":{"acr":{"essential":true}}}"#], "1"),
        ] as [(FormFields, String?)])
    func context(parameters: FormFields, context: String?) async throws {
        let visitor = try await visitor()
        let answer = try await visitor.authorize("company/authorize", request(parameters))
        #expect(try await Company.claims(answer.redirected["id_token"], at: visitor)["acr"]?.stringValue == context)
    }

    @Test("an essential acr that no login satisfies is an error (section 5.5.1.1)")
    func unmetContext() async throws {
        for wish in [#""values":["gold"]"#, #""value":9"#] {
            let asked = request(["claims": #"{"id_token":{"acr":{"essential":true,\#(wish)}}}"#])
            let answer = try await visitor().get("company/authorize", asked)
            #expect(answer.redirected["error"] == "unmet_authentication_requirements")
        }
    }

    @Test("a client's defaults for acr and max_age apply if the request has none")
    func defaults() async throws {
        let visitor = try await visitor { metadata in
            metadata.defaultACRValues = ["1"]
            metadata.defaultMaxAge = 60
        }
        let answer = try await visitor.authorize("company/authorize", request([:]))
        #expect(try await Company.claims(answer.redirected["id_token"], at: visitor)["acr"] == "1")
        try await visitor.cloud.age(by: .seconds(61))
        #expect(try await visitor.get("company/authorize", request([:])).isLogin)
        #expect(try await visitor.get("company/authorize", request(["max_age": "600"])).redirected["id_token"] != nil)
    }

    @Test("a hint must be an ID token of this issuer for this client; it may have expired (section 3.1.2.1)")
    func hint() async throws {
        let visitor = try await visitor()
        let hint = try await Company.login(visitor)
        let parts = hint.split(separator: ".")
        let forged = "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: parts[2].count))"
        let refused = try await visitor.get("company/authorize", request(["id_token_hint": forged]))
        #expect(refused.redirected["error"] == "invalid_request")
        try await Company.change(visitor.cloud) { provider in
            var other = provider.clients[0]
            other.id = "other"
            provider.clients.append(other)
        }
        let foreign = try await visitor.get("company/authorize", request(["id_token_hint": hint, "client_id": "other"]))
        #expect(foreign.redirected["error"] == "invalid_request")
        try await visitor.cloud.age(by: .seconds(3601))
        let silent = try await visitor.get("company/authorize", request(["id_token_hint": hint, "prompt": "none"]))
        #expect(silent.redirected["id_token"] != nil)
    }

    @Test("a login of another user than the hint's is refused")
    func hintAtAnother() async throws {
        let visitor = try await visitor()
        let hint = try await Company.login(visitor)
        let other = Visitor(visitor.cloud)
        let answer = try await other.authorize("company/authorize", request(["id_token_hint": hint]), as: "bob")
        #expect(answer.redirected["error"] == "login_required")
    }

    @Test("unsupported parameters are ignored", arguments: ["display", "ui_locales", "claims_locales", "foobar"])
    func unknown(parameter: String) async throws {
        #expect(try await visitor().get("company/authorize", request([parameter: "x"])).isLogin)
    }
}
