import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

/// Texts and statuses are those of Keycloak's sources (`protocol/oidc/grants`, `TokenManager`).
@Suite("Tokens of a Keycloak realm")
struct RealmTokensTests {
    @Test("a refresh token can be used again, until its session ends")
    func reuse() async throws {
        let realm = try await Realm()
        let first = try await realm.token(Realm.person)
        let renewed = try await realm.refresh(first.refreshToken)
        let again = try await realm.refresh(first.refreshToken)
        #expect(renewed.status == 200)
        #expect(again.status == 200, "\(again.body)")
        #expect(renewed.json["session_state"] == first.json["session_state"])
        let left = try await realm.visitor.post(
            "\(Realm.connect)/logout", Realm.client.with(["refresh_token": first.refreshToken]))
        #expect(left.status == 204)
        for token in [first, renewed, again] {
            let refused = try await realm.refresh(token.refreshToken)
            #expect(refused.error == "invalid_grant")
            #expect(refused.errorDescription == "Session not active")
        }
    }

    @Test("with revokeRefreshToken, a second use ends what the first led to; other paths have their own default")
    func revoked() async throws {
        let realm = try await Realm { $0.revokesRefreshTokens = true }
        let first = try await realm.token(Realm.person)
        let renewed = try await realm.refresh(first.refreshToken)
        #expect(renewed.status == 200)
        let refused = try await realm.refresh(first.refreshToken)
        #expect(refused.status == 400)
        #expect(refused.errorDescription == "Maximum allowed refresh token reuse exceeded")
        #expect(try await realm.refresh(renewed.refreshToken).error == "invalid_grant")
        let status = try await realm.visitor.post(
            "\(Realm.connect)/token/introspect", Realm.client.with(["token": renewed.accessToken]))
        #expect(status.json == ["active": false])
    }

    @Test("at the issuer's own paths a refresh token is used once, unless the provider says otherwise", arguments: [nil, true, false])
    func ownPaths(revokes: Bool?) async throws {
        let visitor = Visitor(try await Visitor.sandbox("keycloak"))
        try await visitor.change("demorealm") { $0.revokesRefreshTokens = revokes }
        let form = Realm.client.with(Realm.person).with(["scope": "openid offline_access"])
        let token = try await visitor.post("demorealm/token", form).refreshToken
        let refresh = Realm.client.with(["grant_type": "refresh_token", "refresh_token": token])
        #expect(try await visitor.post("demorealm/token", refresh).status == 200)
        #expect(try await visitor.post("demorealm/token", refresh).status == (revokes == false ? 200 : 400))
    }

    @Test("refresh tokens that are not accepted have Keycloak's texts")
    func refreshRefusals() async throws {
        let realm = try await Realm()
        let token = try await realm.token(Realm.person).refreshToken
        #expect(try await realm.refresh("no token").errorDescription == "Invalid refresh token")
        let foreign = try await realm.refresh(token, as: Realm.other)
        #expect(foreign.errorDescription == "Invalid refresh token. Token client and authorized client don't match")
        #expect(try await realm.token(["grant_type": "refresh_token"]).errorDescription == "No refresh token")
        try await realm.visitor.cloud.age(by: .seconds(31 * 86_400))
        #expect(try await realm.refresh(token).errorDescription == "Token is not active")
    }

    @Test("requests that are not accepted have Keycloak's texts")
    func refusals() async throws {
        let realm = try await Realm()
        #expect(try await realm.token([:]).errorDescription == "Missing form parameter: grant_type")
        #expect(try await realm.token(["grant_type": "urn:x"]).errorDescription == "Unsupported grant_type")
        #expect(try await realm.token(["grant_type": "authorization_code"]).errorDescription == "Missing parameter: code")
        let code: FormFields = ["grant_type": "authorization_code", "code": "x", "redirect_uri": Visitor.redirectURI]
        #expect(try await realm.token(code).errorDescription == "Code not valid")
        let wrong = try await realm.token(Realm.person, as: Realm.client.with(["client_secret": "wrong"]))
        #expect(wrong.status == 401)
        #expect(wrong.error == "unauthorized_client")
        #expect(wrong.errorDescription == "Invalid client or Invalid client credentials")
        let unknown = try await realm.token(Realm.person, as: ["client_id": "nobody"])
        #expect(unknown.error == "invalid_client")
        #expect(unknown.errorDescription == "Invalid client or Invalid client credentials")
        var twice = Realm.client.with(Realm.person)
        twice.fields.append(.init(name: "username", value: "other"))
        #expect(try await realm.visitor.post("\(Realm.connect)/token", twice).errorDescription == "duplicated parameter")
        let userInfo = try await realm.visitor.get("\(Realm.connect)/userinfo", headers: [.authorization: "Bearer x"])
        #expect(userInfo.errorDescription == "Token verification failed")
    }

    @Test("devices have Keycloak's texts, and get a refresh token")
    func device() async throws {
        let realm = try await Realm()
        let grant = "urn:ietf:params:oauth:grant-type:device_code"
        #expect(try await realm.token(["grant_type": grant]).errorDescription == "Client not allowed OAuth 2.0 Device Authorization Grant")
        try await realm.visitor.change("demorealm") { $0.clients[0].furtherGrants = [.deviceCode] }
        #expect(try await realm.token(["grant_type": grant]).errorDescription == "Missing parameter: device_code")
        #expect(try await realm.token(["grant_type": grant, "device_code": "x"]).errorDescription == "Device code not valid")
        let begun = try await realm.visitor.post("\(Realm.connect)/auth/device", Realm.client.with(["scope": "openid"]))
        let code = try #require(begun.json["device_code"]?.stringValue, "\(begun.body)")
        let poll: FormFields = ["grant_type": grant, "device_code": code]
        #expect(try await realm.token(poll).errorDescription == "The authorization request is still pending")
        #expect(try await realm.token(poll).errorDescription == "Slow down")
        let user = try #require(begun.json["user_code"]?.stringValue)
        let page = try await realm.logIn(on: try await realm.visitor.get("demorealm/device", ["user_code": user]))
        #expect(page.isConsent)
        _ = try await realm.visitor.post(page.realmAction, ["form": page.formValue, "accept": "Yes"])
        try await realm.visitor.cloud.age(by: .seconds(20))
        let tokens = try await realm.token(poll)
        #expect(tokens.status == 200, "\(tokens.body)")
        #expect(!tokens.refreshToken.isEmpty)
        #expect(tokens.json["session_state"] != nil)
    }

    @Test("every login by password has a session, which tokens and the response name")
    func session() async throws {
        let realm = try await Realm()
        let tokens = try await realm.token(Realm.person)
        let session = try #require(tokens.json["session_state"]?.stringValue)
        let identity = try JSONWebToken(parsing: try #require(tokens.json["id_token"]?.stringValue)).claims
        #expect(identity["sid"]?.stringValue == session)
        #expect(identity["jti"] != nil)
        #expect(try JSONWebToken(parsing: tokens.accessToken).claims["sid"]?.stringValue == session)
        #expect(try await realm.token(Realm.person).json["session_state"]?.stringValue != session)
    }

    @Test("the audiences are the clients of which the person has a role, except the token's own client")
    func audiences() async throws {
        let realm = try await Realm { provider in
            provider.people[0].claims["resource_access"] = [
                "web": ["roles": ["reader"]], "my_client": ["roles": ["user"]], "none": ["roles": []],
            ]
        }
        let claims = try JSONWebToken(parsing: try await realm.token(Realm.person).accessToken).claims
        #expect(claims["aud"] == ["account", "web"])
        #expect(claims["resource_access"]?["web"] == ["roles": ["reader"]])
        #expect(claims["resource_access"]?["account"] != nil)
    }

    @Test("a person logs in with the e-mail address, and the user name in any case", arguments: ["TESTUSER@example.com", "TestUser"])
    func mail(name: String) async throws {
        let realm = try await Realm()
        let form = Realm.person.with(["username": name])
        #expect(try await realm.token(form).status == 200)
        #expect(try await Visitor(realm.visitor.cloud).post("demorealm/token", Realm.client.with(form)).status == 400)
    }

    @Test("a disabled account gets no tokens, and what it had is not accepted")
    func disabled() async throws {
        let realm = try await Realm()
        let tokens = try await realm.token(Realm.person)
        try await realm.visitor.change("demorealm") { $0.people[0].isEnabled = false }
        let refused = try await realm.token(Realm.person.with(["password": "wrong"]))
        #expect(refused.status == 400)
        #expect(refused.error == "invalid_grant")
        #expect(refused.errorDescription == "Account disabled")
        #expect(try await realm.refresh(tokens.refreshToken).errorDescription == "User disabled")
        let status = try await realm.visitor.post(
            "\(Realm.connect)/token/introspect", Realm.client.with(["token": tokens.accessToken]))
        #expect(status.json == ["active": false])
        // At the issuer's own path, only the right password reveals it.
        let own = Visitor(realm.visitor.cloud)
        let form = Realm.client.with(Realm.person)
        #expect(try await own.post("demorealm/token", form.with(["password": "wrong"])).errorDescription == "Invalid user credentials")
        #expect(try await own.post("demorealm/token", form).errorDescription == "The user is disabled.")
    }

    @Test("a client that requires consent may not send passwords")
    func consent() async throws {
        let realm = try await Realm { $0.clients[0].requiresConsent = true }
        let refused = try await realm.token(Realm.person)
        #expect(refused.status == 400)
        #expect(refused.error == "invalid_client")
        #expect(refused.errorDescription == "Client requires user consent")
    }
}
