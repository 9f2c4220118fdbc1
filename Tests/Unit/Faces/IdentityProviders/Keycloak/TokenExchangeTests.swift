import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Token exchange (RFC 8693)")
struct TokenExchangeTests {
    private static let types = "urn:ietf:params:oauth:token-type:"

    private func sandbox() async throws -> (Visitor, Applicant, Answer) {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        return (visitor, applicant, try await applicant.tokens(visitor, scope: "openid profile email offline_access"))
    }

    private func exchange(
        _ visitor: Visitor, _ applicant: Applicant, _ token: String, type: String = "access_token", _ further: FormFields = [:],
        path: String = "company/token"
    ) async throws -> Answer {
        let form: FormFields = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": token,
            "subject_token_type": Self.types + type,
        ]
        return try await visitor.post(path, form.with(applicant.credentials).with(further))
    }

    private func status(_ visitor: Visitor, _ applicant: Applicant, _ token: String) async throws -> JSONValue {
        try await visitor.post("company/introspect", applicant.credentials.with(["token": token])).json
    }

    @Test("issues a token with less scope and another audience (section 2.2.1)", arguments: ["access_token", "refresh_token", "id_token"])
    func narrower(type: String) async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let token = try #require(tokens.json[type]?.stringValue)
        let answer = try await exchange(
            visitor, applicant, token, type: type,
            ["scope": "openid profile", "audience": "web-app", "resource": "https://api.example/v1"])
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.json["scope"] == "openid profile", "\(answer.body)")
        #expect(answer.json["issued_token_type"]?.stringValue == Self.types + "access_token")
        #expect(answer.json["token_type"] == "Bearer")
        #expect(answer.json["refresh_token"] == nil)
        #expect(answer.json["id_token"] == nil)
        let status = try await status(visitor, applicant, answer.accessToken)
        #expect(status["aud"] == ["web-app", "https://api.example/v1"])
        #expect(status["sub"] == "employee-0001-alice")
        let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(answer.accessToken)"])
        #expect(info.json["name"] == "Alice Archer")
        #expect(info.json["email"] == nil)
    }

    @Test("issues an ID token for another client (section 2.2.1)")
    func identity() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let answer = try await exchange(
            visitor, applicant, tokens.accessToken, ["requested_token_type": Self.types + "id_token", "audience": "web-app"])
        #expect(answer.json["token_type"] == "N_A")
        #expect(answer.json["issued_token_type"]?.stringValue == Self.types + "id_token")
        let claims = try JSONWebToken(parsing: answer.accessToken).claims
        #expect(claims["aud"] == "web-app")
        #expect(claims["azp"] == "app")
        #expect(claims["sub"] == "employee-0001-alice")
    }

    @Test("ages the time of the login once, not again with each token")
    func agedLogin() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        func login(_ token: String) throws -> Int64 {
            try #require(try JSONWebToken(parsing: token).claims["auth_time"]?.integerValue)
        }
        func exchanged(_ token: String) async throws -> Int64 {
            let answer = try await exchange(
                visitor, applicant, token, type: "id_token", ["requested_token_type": Self.types + "id_token", "audience": "web-app"])
            return try login(answer.accessToken)
        }
        let first = try login(try #require(tokens.json["id_token"]?.stringValue))
        try await visitor.cloud.age(by: .seconds(600))
        let refresh = applicant.credentials.with(["grant_type": "refresh_token", "refresh_token": tokens.refreshToken])
        let renewed = try #require(try await visitor.post("company/token", refresh).json["id_token"]?.stringValue)
        #expect(try login(renewed) == first - 600)
        #expect(try await exchanged(renewed) == first - 600)
        try await visitor.cloud.age(by: .seconds(300))
        #expect(try await exchanged(renewed) == first - 900)
    }

    @Test("accepts the type jwt for a signed token, not for an opaque one (section 3)")
    func jwt() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        try await Company.change(visitor.cloud) { $0.accessTokenFormat = .jwt }
        let signed = try await applicant.tokens(visitor)
        let idToken = try #require(signed.json["id_token"]?.stringValue)
        for (token, isTaken) in [(signed.accessToken, true), (idToken, true), (tokens.accessToken, false), (tokens.refreshToken, false)] {
            let answer = try await exchange(visitor, applicant, token, type: "jwt")
            #expect(isTaken ? answer.status == 200 : answer.error == "invalid_request", "\(answer.body)")
            #expect(!isTaken || answer.json["issued_token_type"]?.stringValue == Self.types + "access_token")
        }
        let asked = try await exchange(visitor, applicant, idToken, type: "jwt", ["requested_token_type": Self.types + "jwt"])
        #expect(asked.error == "invalid_request")
    }

    @Test("names the actor and earlier actors (section 4.1)")
    func actor() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let own = try await visitor.post("company/token", applicant.credentials.with(["grant_type": "client_credentials"]))
        let service = try JSONWebToken(parsing: own.accessToken).claims["sub"]
        let first = try await exchange(
            visitor, applicant, tokens.accessToken,
            ["actor_token": own.accessToken, "actor_token_type": Self.types + "access_token", "scope": "openid"])
        let status = try await status(visitor, applicant, first.accessToken)
        #expect(status["act"]?["sub"] == service, "\(first.body)")
        #expect(status["sub"] == "employee-0001-alice", "\(first.body)")
        let bob = try await visitor.post(
            "company/token",
            applicant.credentials.with([
                "grant_type": "password", "username": "bob", "password": "bob-password", "scope": "openid",
            ]))
        let second = try await exchange(
            visitor, applicant, first.accessToken,
            [
                "actor_token": bob.accessToken, "actor_token_type": Self.types + "access_token",
                "requested_token_type": Self.types + "id_token",
            ])
        let claims = try JSONWebToken(parsing: second.accessToken).claims
        #expect(claims["act"]?["sub"] == "employee-0002-bob")
        #expect(claims["act"]?["act"]?["sub"] == service)
    }

    @Test("allows only the actors that the token of the user names (section 4.4)")
    func mayAct() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        try await visitor.cloud.edit { directory in
            guard var provider = directory.providers["company"] else { return }
            for index in provider.people.indices { provider.people[index].claims["may_act"] = ["sub": "employee-0003-carol"] }
            directory.put(.provider(provider))
        }
        for (name, isAllowed) in [("bob", false), ("carol", true)] {
            let actor = try await visitor.post(
                "company/token",
                applicant.credentials.with(["grant_type": "password", "username": name, "password": "\(name)-password"]))
            let answer = try await exchange(
                visitor, applicant, tokens.accessToken,
                ["actor_token": actor.accessToken, "actor_token_type": Self.types + "access_token"])
            #expect(isAllowed ? answer.status == 200 : answer.error == "invalid_request")
        }
    }

    @Test("issues tokens that are revoked with the subject token")
    func family() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let answer = try await exchange(visitor, applicant, tokens.accessToken)
        _ = try await visitor.post("company/revoke", applicant.credentials.with(["token": tokens.refreshToken]))
        #expect(try await status(visitor, applicant, answer.accessToken) == ["active": false])
    }

    @Test(
        "refuses unsupported requests (section 2.2.2)",
        arguments: [
            (["scope": "openid phone"], "invalid_scope"), (["scope": " "], "invalid_scope"), (["audience": "nobody"], "invalid_target"),
            (["resource": "not a URI"], "invalid_target"), (["resource": "https://api.example/#a"], "invalid_target"),
            (["requested_token_type": "urn:ietf:params:oauth:token-type:saml2"], "invalid_request"),
            (["subject_token_type": "urn:ietf:params:oauth:token-type:saml2"], "invalid_request"),
            (["subject_token_type": ""], "invalid_request"), (["subject_token": ""], "invalid_request"),
            (["subject_token": "unknown"], "invalid_request"), (["actor_token": "x"], "invalid_request"),
            (["actor_token_type": "urn:ietf:params:oauth:token-type:access_token"], "invalid_request"),
            (["subject_token_type": "urn:ietf:params:oauth:token-type:id_token"], "invalid_request"),
        ] as [(FormFields, String)])
    func faults(fields: FormFields, error: String) async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let answer = try await exchange(visitor, applicant, tokens.accessToken, fields)
        #expect(answer.status == 400, "\(answer.body)")
        #expect(answer.error == error, "\(answer.body)")
    }

    @Test("refuses an ID token that is not valid yet (OpenID Connect Core 1.0 section 3.1.3.7)", arguments: TokenFault.yetToCome)
    func yetToCome(fault: TokenFault?) async throws {
        let (visitor, applicant, _) = try await sandbox()
        var order = TokenOrder(provider: "company", user: "alice")
        order.client = "app"
        order.fault = fault
        let minted = try await TokenMint(cloud: visitor.cloud).token(order, issuerOrigin: Visitor.origin)
        let answer = try await exchange(visitor, applicant, minted.token, type: "id_token")
        #expect(answer.status == (fault == nil ? 200 : 400))
        #expect(answer.error == (fault == nil ? nil : "invalid_request"))
    }

    @Test("limits the scope of an ID token to the user's consent for its client")
    func agreed() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        let token = try #require(try await applicant.tokens(visitor, scope: "openid").json["id_token"]?.stringValue)
        #expect(try await exchange(visitor, applicant, token, type: "id_token").json["scope"] == "openid")
        let wider = try await exchange(visitor, applicant, token, type: "id_token", ["scope": "openid email"])
        #expect(wider.status == 400, "\(wider.body)")
        #expect(wider.error == "invalid_scope", "\(wider.body)")
    }

    @Test("issues realm tokens with audience, which are not ID tokens")
    func realm() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let form: FormFields = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": tokens.accessToken,
            "subject_token_type": Self.types + "access_token", "audience": "app",
        ]
        let realm = Visitor(visitor.cloud, base: "/realms/")
        let answer = try await realm.post("company/protocol/openid-connect/token", form.with(applicant.credentials))
        let claims = try JSONWebToken(parsing: answer.accessToken).claims
        #expect(claims["aud"] == ["app"], "\(answer.body)")
        let status = try await status(visitor, applicant, answer.accessToken)
        #expect(status["aud"] == ["app"])
        #expect(try await exchange(visitor, applicant, answer.accessToken, type: "id_token").error == "invalid_request")
        #expect(try await exchange(visitor, applicant, answer.accessToken).status == 200)
    }

    @Test("refuses other audiences to a client that registered itself openly (section 2.2.2)")
    func openlyRegistered() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        try await Company.change(visitor.cloud) { provider in
            guard let place = provider.clients.firstIndex(where: { $0.id == applicant.id }) else { return }
            provider.clients[place].isOpenlyRegistered = true
        }
        let realm = Visitor(visitor.cloud, base: "/realms/")
        for type in ["access_token", "id_token"] {
            let requested: FormFields = ["requested_token_type": Self.types + type]
            for other in [["audience": "web-app"], ["resource": "https://api.example/"]] as [FormFields] {
                if type == "id_token", other.value("resource") != nil { continue }
                let form = requested.with(other)
                let refused = try await exchange(visitor, applicant, tokens.accessToken, form)
                #expect(refused.status == 400, "\(refused.body)")
                #expect(refused.error == "invalid_target", "\(refused.body)")
                // Keycloak has its own error, and no resources.
                if other.value("resource") != nil { continue }
                let forbidden = try await exchange(
                    realm, applicant, tokens.accessToken, form, path: "company/protocol/openid-connect/token")
                #expect(forbidden.status == 403, "\(forbidden.body)")
                #expect(forbidden.error == "access_denied", "\(forbidden.body)")
                #expect(forbidden.json["error_description"] == "Client not allowed to exchange")
            }
            for own in [[:], ["audience": "app"]] as [FormFields] {
                let answer = try await exchange(visitor, applicant, tokens.accessToken, requested.with(own))
                #expect(answer.status == 200, "\(answer.body)")
            }
        }
        var both: FormFields = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": tokens.accessToken,
            "subject_token_type": Self.types + "access_token",
        ]
        for audience in ["app", "web-app"] { both.fields.append(.init(name: "audience", value: audience)) }
        both.fields += applicant.credentials.fields
        let refused = try await visitor.post("company/token", both)
        #expect(refused.status == 400, "\(refused.body)")
        #expect(refused.error == "invalid_target", "\(refused.body)")
    }

    @Test("accepts tokens that were issued to the client or for it")
    func parties() async throws {
        let (visitor, applicant, tokens) = try await sandbox()
        let other = try Applicant(id: "other")
        try await other.register(at: visitor.cloud)
        let foreign = try await exchange(visitor, other, tokens.accessToken)
        #expect(foreign.status == 400)
        #expect(foreign.error == "invalid_request")
        let passed = try await exchange(visitor, applicant, tokens.accessToken, ["audience": "other"])
        #expect(try await exchange(visitor, other, passed.accessToken).status == 200)
        let bad: FormFields = ["client_id": "web-app", "client_secret": "web-app-client-secret"]
        let unable = try await visitor.post(
            "company/token", bad.with(["grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": "x"]))
        #expect(unable.error == "unauthorized_client")
    }
}

extension TokenFault {
    /// The faults of tokens that are not valid yet, and nil.
    fileprivate static let yetToCome: [TokenFault?] = [nil, .notYetValid, .issuedInTheFuture]
}

@Suite("Assertions as grants (RFC 7523 section 2.1)")
struct JWTBearerTests {
    private func grant(_ assertion: String) -> FormFields {
        ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion, "scope": "openid profile"]
    }

    @Test("a client authenticates for a user by name or subject, and needs no other proof", arguments: ["alice", "employee-0001-alice"])
    func person(subject: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant(secret: nil)
        try await applicant.register(at: visitor.cloud) { $0.jwks = try applicant.jwks }
        let answer = try await visitor.post("company/token", grant(try applicant.assertion(["sub": .string(subject)])))
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.json["refresh_token"] == nil, "\(answer.body)")
        #expect(answer.entry.caller == "alice", "\(answer.body)")
        let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(answer.accessToken)"])
        #expect(info.json["sub"] == "employee-0001-alice")
    }

    @Test("an external issuer is registered by its name, and another client presents its assertions")
    func issuer() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let issuer = try Applicant(id: "https://issuer.example", secret: nil)
        try await issuer.register(at: visitor.cloud) { $0.jwks = try issuer.jwks }
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        let assertion = try issuer.assertion(["sub": "bob"])
        let answer = try await visitor.post("company/token", grant(assertion).with(applicant.credentials))
        #expect(answer.status == 200, "\(answer.body)")
        let claims = try JSONWebToken(parsing: try #require(answer.json["id_token"]?.stringValue)).claims
        #expect(claims["aud"] == "app")
        #expect(claims["sub"] == "employee-0002-bob")
        #expect(try await visitor.post("company/token", grant(assertion).with(applicant.credentials)).error == "invalid_grant")
    }

    @Test("a client that registered itself openly may not assert the identities of users")
    func openlyRegistered() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let issuer = try Applicant(id: "https://issuer.example", secret: nil)
        let applicant = try Applicant()
        try await issuer.register(at: visitor.cloud) { $0.jwks = try issuer.jwks }
        try await applicant.register(at: visitor.cloud)
        try await Company.change(visitor.cloud) { provider in
            guard let place = provider.clients.firstIndex(where: { $0.id == issuer.id }) else { return }
            provider.clients[place].isOpenlyRegistered = true
        }
        let own = try await visitor.post("company/token", grant(try issuer.assertion(["sub": "alice"])))
        #expect(own.status == 400, "\(own.body)")
        #expect(own.error == "unauthorized_client", "\(own.body)")
        let presented = try await visitor.post("company/token", grant(try issuer.assertion(["sub": "alice"])).with(applicant.credentials))
        #expect(presented.status == 400, "\(presented.body)")
        #expect(presented.error == "invalid_grant", "\(presented.body)")
    }

    @Test("an invalid assertion is refused (section 3.1)")
    func faults() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant(secret: nil)
        try await applicant.register(at: visitor.cloud) { $0.jwks = try applicant.jwks }
        let other = try Applicant()
        let alice: JSONObject = ["sub": "alice"]
        for assertion in [
            "garbage", try applicant.assertion(["sub": "nobody"]), try applicant.assertion(alice, key: other.key),
            try applicant.assertion(["sub": "alice", "aud": "https://other.example"]),
            try applicant.assertion(["sub": "alice", "exp": 1_000_000_000]), try applicant.assertion(["sub": "alice", "iss": "nobody"]),
        ] {
            let answer = try await visitor.post("company/token", grant(assertion))
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_grant")
        }
        let unable: FormFields = ["client_id": "web-app", "client_secret": "web-app-client-secret"]
        let answer = try await visitor.post("company/token", grant(try applicant.assertion(alice)).with(unable))
        #expect(answer.error == "unauthorized_client")
    }
}
