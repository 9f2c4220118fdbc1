import Cloud
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Google")
struct GoogleTests {
    static let clientID = "1234567890.apps.googleusercontent.com"
    static let client: FormFields = [
        "client_id": Self.clientID, "client_secret": "google-client-secret", "redirect_uri": Visitor.redirectURI,
    ]

    private func tokens(_ visitor: Visitor, _ further: FormFields = [:]) async throws -> JSONValue {
        let answer = try await visitor.authorize("google/o/oauth2/v2/auth", Requests.google.with(further))
        let code = try #require(answer.redirected["code"])
        return try await visitor.post("google/token", Self.client.with(["grant_type": "authorization_code", "code": code])).json
    }

    @Test("discovery has Google's issuer, and endpoints at the host of the request")
    func discovery() async throws {
        let document = try await Visitor(try await Visitor.sandbox()).get("google/.well-known/openid-configuration").json
        #expect(document["issuer"] == "https://accounts.google.com")
        #expect(document["token_endpoint"]?.stringValue == "\(Visitor.origin)/idp/google/token")
        #expect(document["jwks_uri"]?.stringValue == "\(Visitor.origin)/idp/google/oauth2/v3/certs")
    }

    @Test("a login ends with an ID token in Google's form")
    func codeFlow() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await tokens(visitor)
        #expect(answer["token_type"] == "Bearer")
        #expect(answer["refresh_token"] == nil)
        #expect(answer["access_token"]?.stringValue?.hasPrefix("ya29.") == true)
        #expect(
            answer["scope"]
                == "openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile")
        let token = try JSONWebToken(parsing: try #require(answer["id_token"]?.stringValue))
        let keys = try await visitor.get("google/oauth2/v3/certs")
        try token.verify(with: try #require(JSONWebKeySet(parsing: Array(keys.body.utf8))?.keys.first { $0.keyID == token.keyID }).key)
        #expect(token.claims["iss"] == "https://accounts.google.com")
        #expect(token.claims["sub"] == "110169484474386276334")
        #expect(token.claims["azp"]?.stringValue == Self.clientID)
        #expect(token.claims["aud"]?.stringValue == Self.clientID)
        #expect(token.claims["nonce"] == "n")
        #expect(token.claims["email_verified"] == true)
        #expect(token.claims["at_hash"] != nil)
    }

    @Test("a refresh returns the granted scopes, or those of them that it requests (RFC 6749 section 6)")
    func narrowerRefresh() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try #require(try await tokens(visitor, ["access_type": "offline"])["refresh_token"]?.stringValue)
        let refresh = Self.client.with(["grant_type": "refresh_token", "refresh_token": token])
        let email = "https://www.googleapis.com/auth/userinfo.email"
        let narrow = try await visitor.post("google/token", refresh.with(["scope": "\(email)"])).json
        #expect(narrow["scope"]?.stringValue == email)
        let info = try await visitor.get("google/tokeninfo", ["access_token": narrow["access_token"]?.stringValue ?? ""]).json
        #expect(info["scope"]?.stringValue == email)
        #expect(info["email"] == "alice@example.com")
        for (scope, text) in [
            ("openid https://www.googleapis.com/auth/drive", "Bad Request"),
            ("openid magic tricks", "Some requested scopes were invalid. {invalid=[magic, tricks]}"),
        ] {
            let refused = try await visitor.post("google/token", refresh.with(["scope": scope]))
            #expect(refused.status == 400)
            #expect(refused.json["error"] == "invalid_scope")
            #expect(refused.json["error_description"]?.stringValue == text)
        }
        // The scopes of one refresh do not limit the next.
        #expect(try await visitor.post("google/token", refresh).json["scope"]?.stringValue?.hasPrefix("openid ") == true)
    }

    @Test("a refresh token is issued with consent to offline access, and a revocation ends all tokens")
    func offlineAccess() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let first = try await tokens(visitor, ["access_type": "offline"])
        let refreshToken = try #require(first["refresh_token"]?.stringValue)
        #expect(try await tokens(visitor, ["access_type": "offline"])["refresh_token"] == nil)
        #expect(try await tokens(visitor, ["access_type": "offline", "prompt": "consent"])["refresh_token"] != nil)
        let refresh = Self.client.with(["grant_type": "refresh_token", "refresh_token": refreshToken])
        let fresh = try await visitor.post("google/token", refresh).json
        #expect(fresh["id_token"] != nil)
        #expect(fresh["refresh_token"] == nil)
        let token = try #require(fresh["access_token"]?.stringValue)
        #expect(try await visitor.post("google/revoke", ["token": token]).json == [:])
        let again = try await visitor.post("google/revoke", ["token": token])
        #expect(again.status == 400)
        #expect(again.json == ["error": "invalid_token", "error_description": "Token expired or revoked"])
        #expect(try await visitor.post("google/token", refresh).json["error"] == "invalid_grant")
        #expect(try await visitor.get("google/o/oauth2/v2/auth", Requests.google).isConsent)
    }

    @Test("tokeninfo returns every value as a string")
    func tokenInfo() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await tokens(visitor)
        let idToken = try #require(answer["id_token"]?.stringValue)
        let info = try await visitor.get("google/tokeninfo", ["id_token": idToken]).json
        #expect(info["email_verified"] == "true")
        #expect(info["alg"] == "RS256")
        #expect(info["kid"] != nil)
        #expect(info.objectValue?.members.allSatisfy { $0.value.stringValue != nil } == true)
        let access = try await visitor.post(
            "google/oauth2/v3/tokeninfo", ["access_token": try #require(answer["access_token"]?.stringValue)]
        ).json
        #expect(access["aud"]?.stringValue == Self.clientID)
        #expect(access["sub"] == "110169484474386276334")
        #expect(access["email"] == "alice@example.com")
        #expect(access["expires_in"]?.stringValue != nil)
        let forged = idToken.dropLast(8) + "AAAAAAAA"
        for query in [["id_token": String(forged)], ["id_token": "x"], ["access_token": "x"]] as [FormFields] {
            let refused = try await visitor.get("google/tokeninfo", query)
            #expect(refused.status == 400)
            #expect(refused.json == ["error": "invalid_token", "error_description": "Invalid Value"])
        }
        try await visitor.cloud.age(by: .seconds(600))
        let aged = try await visitor.get("google/tokeninfo", ["id_token": idToken]).json
        for name in ["iat", "exp"] {
            let before = try #require(info[name]?.stringValue.flatMap { Int64($0) })
            #expect(aged[name]?.stringValue == String(before - 600))
        }
        try await visitor.cloud.age(by: .seconds(3001))
        #expect(try await visitor.get("google/tokeninfo", ["id_token": idToken]).status == 400)
    }

    @Test(
        "tokeninfo refuses tokens that Google did not issue or that are not valid now",
        arguments: [
            ["iss": "https://accounts.google.com/another"], ["iss": 1], ["iat": .integer(1 << 39)], ["exp": .integer(1 << 41)],
            ["iat": .integer(-1)], ["nbf": .integer(1 << 39)], ["nbf": "soon"], ["exp": "soon"],
        ] as [JSONObject])
    func tokenInfoOfOddTokens(claims: JSONObject) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        var order = TokenOrder(provider: "google", user: "alice")
        let mint = TokenMint(cloud: visitor.cloud)
        let good = try await mint.token(order, issuerOrigin: Visitor.origin).token
        #expect(try await visitor.get("google/tokeninfo", ["id_token": good]).status == 200)
        order.claims = claims
        let odd = try await mint.token(order, issuerOrigin: Visitor.origin).token
        for target in ["google/tokeninfo", "google/oauth2/v1/tokeninfo"] {
            let refused = try await visitor.get(target, ["id_token": odd])
            #expect(refused.status == 400)
            #expect(refused.json["error"] == "invalid_token")
        }
    }

    @Test("only GET and POST are accepted, from browsers after a preflight", arguments: ["tokeninfo", "v1/userinfo", "revoke"])
    func methods(path: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try #require(try await tokens(visitor)["access_token"]?.stringValue)
        #expect(try await visitor.send(.delete, "google/\(path)?access_token=\(token)&token=\(token)").status == 404)
        #expect(try await visitor.get("google/tokeninfo", ["access_token": token]).status == 200)
        let preflight = try await visitor.send(.options, "google/\(path)")
        #expect(preflight.status == 204)
        #expect(preflight.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
    }

    @Test(
        "errors of the device flow",
        arguments: [
            ("scope=email", "invalid_request"), ("client_id=nobody&scope=email", "invalid_client"),
            ("client_id=\(GoogleTests.clientID)&scope=+", "invalid_request"),
            ("client_id=\(GoogleTests.clientID)&scope=magic", "invalid_scope"),
            ("client_id=\(GoogleTests.clientID)&scope=email&scope=email", "invalid_request"),
        ])
    func deviceFaults(body: String, error: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.send(.post, "google/device/code", body: body)
        #expect(answer.json["error"]?.stringValue == error)
    }

    @Test("userinfo has the claims of the scope", arguments: ["google/v1/userinfo", "google/oauth2/v3/userinfo"])
    func userInfo(target: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try #require(try await tokens(visitor, ["scope": "openid email"])["access_token"]?.stringValue)
        let info = try await visitor.get(target, headers: [.authorization: "Bearer \(token)"]).json
        #expect(info == ["sub": "110169484474386276334", "email": "alice@example.com", "email_verified": true])
        let refused = try await visitor.get(target, headers: [.authorization: "Bearer x"])
        #expect(refused.status == 401)
        #expect(refused.json["error_description"] == "Invalid Credentials")
    }

    @Test(
        "an invalid request shows a page and does not redirect",
        arguments: [
            (["client_id": ""], 400, "invalid_request"), (["client_id": "nobody"], 401, "invalid_client"),
            (["redirect_uri": "https://evil.example/"], 400, "redirect_uri_mismatch"),
            (["response_type": "magic"], 400, "unsupported_response_type"), (["scope": ""], 400, "invalid_request"),
            (["scope": " "], 400, "invalid_request"), (["scope": "openid magic"], 400, "invalid_scope"),
            (["access_type": "magic"], 400, "invalid_request"),
        ] as [(FormFields, Int, String)])
    func authorizeFaults(parameters: FormFields, status: Int, error: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get("google/o/oauth2/v2/auth", Requests.google.with(parameters))
        #expect(answer.status == status)
        #expect(answer.location.isEmpty)
        #expect(answer.body.contains(error))
        #expect(answer.entry.errorCode == error)
    }

    @Test(
        "faults at the token endpoint",
        arguments: [
            (["grant_type": ""], 400, "invalid_request"), (["grant_type": "magic"], 400, "unsupported_grant_type"),
            (["client_secret": "wrong"], 401, "invalid_client"), (["client_id": "nobody"], 401, "invalid_client"),
            (["client_secret": ""], 400, "invalid_request"), (["code": "guess"], 400, "invalid_grant"),
        ] as [(FormFields, Int, String)])
    func tokenFaults(fields: FormFields, status: Int, error: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let form = Self.client.with(["grant_type": "authorization_code", "code": "x"]).with(fields)
        let answer = try await visitor.post("google/token", form)
        #expect(answer.status == status)
        #expect(answer.json["error"]?.stringValue == error)
    }

    @Test("an exchange with another redirect URI has an error of its own")
    func redirectMismatch() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let code = try #require(try await visitor.authorize("google/o/oauth2/auth", Requests.google).redirected["code"])
        let form = Self.client.with([
            "grant_type": "authorization_code", "code": code, "redirect_uri": "http://127.0.0.1:8765/callback",
        ])
        #expect(try await visitor.post("google/token", form).json["error"] == "redirect_uri_mismatch")
    }
}
