import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@Suite("Facebook")
struct FacebookTests {
    static let app = "1234567890123456"
    static let appToken = "1234567890123456|facebook-app-secret"
    static let client: FormFields = ["client_id": Self.app, "client_secret": "facebook-app-secret"]

    private func token(_ visitor: Visitor, scope: String = "email") async throws -> String {
        let request = Requests.facebook.with(["response_type": "token", "scope": scope])
        return try #require(try await visitor.authorize("facebook/dialog/oauth", request).redirected["access_token"])
    }

    @Test("a code is exchanged for a token that reads the profile")
    func codeFlow() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.authorize("facebook/v19.0/dialog/oauth", Requests.facebook.with(["scope": "email"]))
        #expect(answer.location.hasSuffix("&state=s#_=_"))
        let call = Self.client.with(["redirect_uri": Visitor.redirectURI, "code": try #require(answer.redirected["code"])])
        let token = try await visitor.get("facebook/oauth/access_token", call)
        #expect(token.json["token_type"] == "bearer")
        #expect(token.json["expires_in"] == 5400)
        let value = try #require(token.json["access_token"]?.stringValue)
        #expect(value.hasPrefix("EAA"))
        let me = try await visitor.get("facebook/me", ["access_token": value, "fields": "id,name,email,last_name"])
        #expect(
            me.json == [
                "id": "100001234567890", "name": "Alice Archer", "email": "alice@example.com", "last_name": "Archer",
            ])
        #expect(me.entry.caller == "alice")
        let second = try await visitor.get("facebook/oauth/access_token", call)
        #expect(second.json["error"]?["error_subcode"] == 36009)
    }

    @Test("the app's id and secret may be sent by HTTP Basic, as generic OAuth clients do")
    func basicAuthentication() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let header: HTTPFields = [.authorization: basic(Self.app, "facebook-app-secret")]
        func redeem(_ further: FormFields, headers: HTTPFields) async throws -> Answer {
            let answer = try await visitor.authorize("facebook/v19.0/dialog/oauth", Requests.facebook)
            let form: FormFields = [
                "grant_type": "authorization_code", "redirect_uri": Visitor.redirectURI, "code": try #require(answer.redirected["code"]),
            ]
            return try await visitor.post("facebook/v19.0/oauth/access_token", form.with(further), headers: headers)
        }
        #expect(try await redeem([:], headers: header).json["access_token"]?.stringValue?.hasPrefix("EAA") == true)
        #expect(try await redeem(["client_id": Self.app], headers: header).json["token_type"] == "bearer")
        let wrong = try await redeem([:], headers: [.authorization: basic(Self.app, "guess")])
        #expect(wrong.status == 400)
        #expect(wrong.json["error"]?["code"] == 1)
        let contradictory = try await redeem(["client_secret": "guess"], headers: header)
        #expect(contradictory.status == 400, "a parameter comes first")
        let unreadable = try await redeem([:], headers: [.authorization: "Basic ?"])
        #expect(unreadable.json["error"]?["code"] == 101)
    }

    @Test("before version 2.3 token responses are text, and before 2.4 the profile has all fields")
    func oldVersions() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get(
            "facebook/v2.2/oauth/access_token", Self.client.with(["grant_type": "client_credentials"]))
        #expect(answer.body == "access_token=\(Self.appToken)")
        #expect(answer.headers[.contentType]?.hasPrefix("text/plain") == true)
        let extended = try await visitor.get(
            "facebook/v2.2/oauth/access_token",
            Self.client.with(["grant_type": "fb_exchange_token", "fb_exchange_token": try await token(visitor)]))
        #expect(extended.body.hasSuffix("&expires=5184000"))
        let me = try await visitor.get("facebook/v2.3/me", ["access_token": try await token(visitor)])
        #expect(me.json["first_name"] == "Alice")
        #expect(me.json["email"] == "alice@example.com")
        let today = try await visitor.get("facebook/me", ["access_token": try await token(visitor)])
        #expect(today.json == ["id": "100001234567890", "name": "Alice Archer"])
    }

    @Test("a denial redirects with Facebook's error")
    func deny() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let page = try await visitor.get("facebook/dialog/oauth", Requests.facebook.with(["response_type": "token"]))
        let answer = try await visitor.press("action", "deny", on: page)
        #expect(answer.redirected["error"] == "access_denied")
        #expect(answer.redirected["error_reason"] == "user_denied")
        #expect(answer.redirected["state"] == "s")
    }

    @Test(
        "an invalid dialog request shows a page and does not redirect",
        arguments: [
            ["client_id": "999"], ["redirect_uri": "https://evil.example/"], ["redirect_uri": ""], ["response_type": "magic"],
            ["scope": "<b>"],
        ] as [FormFields])
    func dialogFaults(parameters: FormFields) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get("facebook/dialog/oauth", Requests.facebook.with(parameters))
        #expect(answer.status == 400)
        #expect(answer.location.isEmpty)
        #expect(!answer.body.contains("<b>"))
    }

    @Test(
        "faults at the token endpoint",
        arguments: [
            (["client_id": ""], 101), (["client_id": "999"], 101), (["redirect_uri": ""], 191), (["client_secret": ""], 1),
            (["client_secret": "wrong"], 1), (["code": ""], 1), (["code": "guess"], 100), (["grant_type": "magic"], 100),
            (["grant_type": "fb_exchange_token"], 1), (["grant_type": "fb_exchange_token", "fb_exchange_token": "x"], 190),
        ] as [(FormFields, Int64)])
    func tokenFaults(parameters: FormFields, code: Int64) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let form = Self.client.with(["redirect_uri": Visitor.redirectURI, "code": "x"]).with(parameters)
        let answer = try await visitor.post("facebook/oauth/access_token", form)
        #expect(answer.status == 400)
        #expect(answer.json["error"]?["code"] == .integer(code))
        #expect(answer.json["error"]?["type"] == "OAuthException")
        #expect(answer.json["error"]?["fbtrace_id"] != nil)
        #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("OAuth \"Facebook Platform\" ") == true)
    }

    @Test("the redirect URI of the exchange must be that of the dialog")
    func otherRedirect() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let code = try #require(try await visitor.authorize("facebook/dialog/oauth", Requests.facebook).redirected["code"])
        let form = Self.client.with(["redirect_uri": "http://127.0.0.1:8765/callback", "code": code])
        #expect(try await visitor.get("facebook/oauth/access_token", form).json["error"]?["error_subcode"] == 36008)
    }

    @Test("a revoked token has another error than an unknown one, and the user has to consent again")
    func revocation() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        let listed = try await visitor.get("facebook/me/permissions", ["access_token": token])
        #expect(listed.json["data"]?.arrayValue?.count == 2)
        let revoked = try await visitor.send(.delete, "facebook/me/permissions?access_token=\(token)")
        #expect(revoked.json == ["success": true])
        let me = try await visitor.get("facebook/me", ["access_token": token])
        #expect(me.status == 400)
        #expect(me.json["error"]?["code"] == 190)
        #expect(me.json["error"]?["error_subcode"] == 458)
        #expect(me.headers[.wwwAuthenticate]?.hasPrefix("OAuth \"Facebook Platform\" \"invalid_token\"") == true)
        let unknown = try await visitor.get("facebook/me", ["access_token": "EAAunknown"])
        #expect(unknown.json["error"]?["code"] == 190)
        #expect(unknown.json["error"]?["error_subcode"] == nil)
        #expect(try visitor.cloud.grants.look(up: token, kind: .accessToken, at: "facebook") == nil)
        #expect(try await visitor.get("facebook/dialog/oauth", Requests.facebook).isConsent)
    }

    @Test("an app can revoke a user's permissions by identifier, a user only their own")
    func revocationByIdentifier() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        let foreign = try await visitor.send(.delete, "facebook/100001234567891/permissions?access_token=\(token)")
        #expect(foreign.status == 404)
        let header: HTTPFields = [.authorization: "OAuth \(Self.appToken)"]
        #expect(try await visitor.send(.delete, "facebook/100001234567890/permissions", headers: header).status == 200)
        #expect(try await visitor.get("facebook/me", ["access_token": token]).status == 400)
    }

    @Test("an expired token has an error with the time of its expiry")
    func expiry() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        try await visitor.cloud.age(by: .seconds(7200))
        let error = try #require(try await visitor.get("facebook/me", ["access_token": token]).json["error"])
        #expect(error["code"] == 190)
        #expect(error["error_subcode"] == 463)
        let date = #"[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT"#
        let message = try Regex("Error validating access token: Session has expired on \(date)\\. The current time is \(date)\\.")
        #expect(try message.wholeMatch(in: error["message"]?.stringValue ?? "") != nil)
        let debug = try await visitor.get("facebook/debug_token", ["input_token": token, "access_token": Self.appToken])
        #expect(debug.json["data"]?["is_valid"] == false)
        #expect(debug.json["data"]?["error"]?["subcode"] == 463)
        #expect(debug.json["data"]?["user_id"] == "100001234567890")
    }

    @Test("an app inspects its tokens")
    func debugToken() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        let data = try await visitor.get("facebook/debug_token", ["input_token": token, "access_token": Self.appToken]).json[
            "data"]
        #expect(data?["app_id"]?.stringValue == Self.app)
        #expect(data?["type"] == "USER")
        #expect(data?["is_valid"] == true)
        #expect(data?["user_id"] == "100001234567890")
        #expect(data?["application"] == "Personal Files")
        #expect(data?["scopes"] == ["public_profile", "email"])
        let app = try await visitor.get("facebook/debug_token", ["input_token": Self.appToken, "access_token": token])
        #expect(app.json["data"]?["type"] == "APP")
        for wrong in ["\(Self.app)|wrong", "garbage", ""] {
            #expect(try await visitor.get("facebook/debug_token", ["input_token": token, "access_token": wrong]).status == 400)
        }
        #expect(try await visitor.get("facebook/app", ["access_token": token]).json["id"]?.stringValue == Self.app)
    }

    @Test("a proof of the secret is verified if it is sent")
    func appSecretProof() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        let proof = hmacSHA256(key: Array("facebook-app-secret".utf8), token).hex
        #expect(try await visitor.get("facebook/me", ["access_token": token, "appsecret_proof": proof]).status == 200)
        let wrong = try await visitor.get("facebook/me", ["access_token": token, "appsecret_proof": String(proof.reversed())])
        #expect(wrong.json["error"]?["code"] == 100)
        #expect(wrong.json["error"]?["type"] == "GraphMethodException")
    }

    @Test("an app without a secret cannot prove one, authenticate or get signed requests")
    func noSecret() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.change("facebook") { $0.clients[0].secret = nil }
        let token = try await token(visitor)
        #expect(try await visitor.get("facebook/me", ["access_token": token]).status == 200)
        for proof in [hmacSHA256(key: [], token).hex, "a"] {
            let refused = try await visitor.get("facebook/me", ["access_token": token, "appsecret_proof": proof])
            #expect(refused.status == 400)
            #expect(refused.json["error"]?["code"] == 100)
            #expect(refused.json["error"]?["message"] == "Invalid appsecret_proof provided in the API argument")
        }
        let call: FormFields = ["client_id": Self.app, "grant_type": "client_credentials"]
        let empty = try await visitor.post("facebook/oauth/access_token", call, headers: [.authorization: basic(Self.app, "")])
        #expect(empty.json["error"]?["message"] == "Error validating client secret.")
        let signed = try await visitor.authorize("facebook/dialog/oauth", Requests.facebook.with(["response_type": "signed_request"]))
        #expect(signed.status == 400)
        #expect(signed.body.contains("The app has no secret"))
    }

    @Test("reads need a user's token and known fields")
    func graphFaults() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        #expect(try await visitor.get("facebook/me").json["error"]?["code"] == 2500)
        #expect(try await visitor.get("facebook/me", ["access_token": Self.appToken]).json["error"]?["code"] == 2500)
        let token = try await token(visitor, scope: "")
        #expect(try await visitor.get("facebook/me", ["access_token": token, "fields": "shoe"]).json["error"]?["code"] == 100)
        #expect(
            try await visitor.get("facebook/me", ["access_token": token, "fields": "email"]).json == ["id": "100001234567890"])
        #expect(try await visitor.get("facebook/nothing", ["access_token": token]).status == 404)
        let edge = try await visitor.get("facebook/v24.0/me/nothing/more", ["access_token": token])
        #expect(edge.status == 400)
        #expect(edge.json["error"]?["code"] == 2500)
        #expect(edge.json["error"]?["message"] == "Unknown path components: /nothing/more")
        #expect(try await visitor.get("facebook/me/nothing").json["error"]?["code"] == 2500)
        for path in ["3.1/me/feed", "v2.80/me/feed", "v3/me/feed"] {
            let answer = try await visitor.get("facebook/\(path)")
            #expect(answer.status == 400, "\(answer.body)")
            #expect(answer.json["error"]?["message"] == "Unknown path components: /me/feed", "\(answer.body)")
        }
        for path in ["", "v24.0", "v24.0/"] {
            #expect(try await visitor.get("facebook/\(path)").status == 400)
            #expect(try await visitor.get("facebook/\(path)", ["access_token": token]).status == 404)
        }
        for path in ["nothing", "100001234567890", "\(Self.app)/accounts/test-users"] {
            let answer = try await visitor.get("facebook/\(path)")
            #expect(answer.status == 400, "\(answer.body)")
            #expect(answer.json["error"]?["code"] == 104, "\(answer.body)")
        }
    }
}
