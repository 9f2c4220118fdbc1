import Cloud
import HTTPTypes
import Testing
import WireFormats

@Suite("Login with Amazon")
struct AmazonTests {
    static let client: FormFields = [
        "client_id": "amzn1.application-oa2-client.personalfiles", "client_secret": "amazon-client-secret",
        "redirect_uri": Visitor.redirectURI,
    ]

    private func token(_ visitor: Visitor, scope: String = "profile") async throws -> String {
        let request = Requests.amazon.with(["response_type": "token", "scope": scope])
        let answer = try await visitor.authorize("amazon/ap/oa", request)
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "#access_token="))
        #expect(answer.redirected["token_type"] == "bearer")
        #expect(answer.redirected["expires_in"] == "3600")
        return try #require(answer.redirected["access_token"])
    }

    @Test("a code is exchanged for tokens, which are refreshed")
    func codeFlow() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let code = try #require(try await visitor.authorize("amazon/ap/oa", Requests.amazon).redirected["code"])
        #expect(code.hasPrefix("AN"))
        #expect((18...128).contains(code.count))
        let call = Self.client.with(["grant_type": "authorization_code", "code": code])
        let answer = try await visitor.post("amazon/auth/o2/token", call)
        let token = try #require(answer.json["access_token"]?.stringValue)
        #expect(token.hasPrefix("Atza|"))
        #expect((350...2048).contains(token.count))
        #expect(answer.json["token_type"] == "bearer")
        #expect(answer.json["expires_in"] == 3600)
        #expect(answer.headers[.contentType] == "application/json;charset=UTF-8")
        let refreshToken = try #require(answer.json["refresh_token"]?.stringValue)
        #expect(refreshToken.hasPrefix("Atzr|"))
        let fresh = try await visitor.post(
            "amazon/auth/O2/token", Self.client.with(["grant_type": "refresh_token", "refresh_token": refreshToken]))
        #expect(fresh.json["access_token"]?.stringValue?.hasPrefix("Atza|") == true)
        #expect(fresh.json["refresh_token"]?.stringValue == refreshToken)
        #expect(try await visitor.post("amazon/auth/o2/token", call).json["error"] == "invalid_grant")
    }

    @Test("an application in a browser redeems its code with the verifier, without a secret")
    func withoutSecret() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        func code(_ further: FormFields) async throws -> FormFields {
            let answer = try await visitor.authorize("amazon/ap/oa", Requests.amazon.with(further))
            return [
                "grant_type": "authorization_code", "code": try #require(answer.redirected["code"]), "redirect_uri": Visitor.redirectURI,
                "client_id": "amzn1.application-oa2-client.personalfiles",
            ]
        }
        let bound = try await code(["code_challenge": Requests.challenge, "code_challenge_method": "S256"])
        #expect(try await visitor.post("amazon/auth/o2/token", bound).error == "invalid_client")
        let wrong = bound.with(["code_verifier": String(Requests.verifier.reversed())])
        #expect(try await visitor.post("amazon/auth/o2/token", wrong).error == "invalid_grant")
        let tokens = try await visitor.post("amazon/auth/o2/token", bound.with(["code_verifier": Requests.verifier]))
        #expect(tokens.status == 200, "\(tokens.body)")
        #expect(tokens.accessToken.hasPrefix("Atza|"), "\(tokens.body)")
        let unbound = try await code([:]).with(["code_verifier": Requests.verifier])
        #expect(try await visitor.post("amazon/auth/o2/token", unbound).error == "invalid_grant")
    }

    @Test(
        "an application in a browser may redeem codes and read profiles",
        arguments: ["auth/o2/token", "auth/O2/tokeninfo", "user/profile", "auth/o2/create/codepair"])
    func otherOrigins(path: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let asked = try await visitor.send(.options, "amazon/\(path)")
        #expect(asked.status == 204)
        #expect(asked.headers[.accessControlAllowOrigin] == "*")
        #expect(try await visitor.get("amazon/\(path)").headers[.accessControlAllowOrigin] == "*")
        #expect(try await visitor.get("amazon/ap/oa").headers[.accessControlAllowOrigin] == nil)
    }

    @Test("tokeninfo returns the remaining seconds")
    func tokenInfo() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        try await visitor.cloud.age(by: .seconds(1800))
        let info = try await visitor.get("amazon/auth/O2/tokeninfo", ["access_token": token]).json
        #expect(info["aud"] == "amzn1.application-oa2-client.personalfiles")
        #expect(info["app_id"] == "amzn1.application.personalfiles")
        #expect(info["user_id"] == "amzn1.account.AHALICE3FILESTORE2PERSONALEX")
        #expect(info["iss"] == "https://www.amazon.com")
        #expect((1...1800).contains(try #require(info["exp"]?.integerValue)))
        try await visitor.cloud.age(by: .seconds(1801))
        let expired = try await visitor.get("amazon/auth/o2/tokeninfo", ["access_token": token])
        #expect(
            expired.json == [
                "error": "invalid_token", "error_description": "The request has an invalid parameter : access_token",
            ])
        #expect(expired.status == 400)
    }

    @Test(
        "the profile contains the members of the scope, however the token is sent",
        arguments: [("profile", ["user_id", "name", "email"]), ("profile:user_id", ["user_id"])])
    func profile(scope: String, names: [String]) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor, scope: scope)
        let answers = [
            try await visitor.get("amazon/user/profile", ["access_token": token]),
            try await visitor.get("amazon/user/profile", headers: [.authorization: "bearer \(token)"]),
            try await visitor.get("amazon/user/profile", headers: [.init("x-amz-access-token")!: token]),
        ]
        for answer in answers { #expect(answer.json.objectValue?.names == names) }
        #expect(try await visitor.get("amazon/user/profile").json["error"] == "invalid_request")
    }

    @Test(
        "an invalid request redirects to the application with an error",
        arguments: [
            (["response_type": ""], "invalid_request"), (["response_type": "magic"], "unsupported_response_type"),
            (["scope": ""], "invalid_request"), (["scope": " "], "invalid_scope"), (["scope": "profile everything"], "invalid_scope"),
            (["code_challenge": "x", "code_challenge_method": "S256"], "invalid_request"),
        ] as [(FormFields, String)])
    func authorizeFaults(parameters: FormFields, error: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get("amazon/ap/oa", Requests.amazon.with(parameters))
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "?"))
        #expect(answer.redirected["error"] == error)
        #expect(answer.redirected["state"] == "s")
    }

    @Test("a request of an unknown client or address does not redirect", arguments: ["client_id", "redirect_uri"])
    func unknownClient(name: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get("amazon/ap/oa", Requests.amazon.with([name: "https://evil.example/"]))
        #expect(answer.status == 400)
        #expect(answer.location.isEmpty)
    }

    @Test("a denial in the token flow is reported in the fragment")
    func deny() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let page = try await visitor.get("amazon/ap/oa", Requests.amazon.with(["response_type": "token"]))
        let answer = try await visitor.press("action", "deny", on: page)
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "#error=access_denied"))
    }

    @Test(
        "faults at the token endpoint",
        arguments: [
            (["grant_type": ""], 400, "invalid_request"), (["grant_type": "magic"], 400, "unsupported_grant_type"),
            (["client_id": ""], 400, "invalid_request"), (["client_secret": "wrong"], 401, "invalid_client"),
            (["client_id": "nobody"], 401, "invalid_client"), (["code": ""], 400, "invalid_request"),
            (["redirect_uri": ""], 400, "invalid_request"), (["code": "guess"], 400, "invalid_grant"),
            (["grant_type": "refresh_token"], 400, "invalid_request"),
            (["grant_type": "refresh_token", "refresh_token": "Atzr|guess"], 400, "invalid_grant"),
        ] as [(FormFields, Int, String)])
    func tokenFaults(fields: FormFields, status: Int, error: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let form = Self.client.with(["grant_type": "authorization_code", "code": "x"]).with(fields)
        let answer = try await visitor.post("amazon/auth/o2/token", form)
        #expect(answer.status == status)
        #expect(answer.json["error"]?.stringValue == error)
        #expect(answer.headers[.init("x-amzn-RequestId")!] != nil)
    }
}
