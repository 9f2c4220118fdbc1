import Cloud
import Cryptography
import Directory
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

/// Paths, statuses and texts are Keycloak's ("Securing applications and services guide", "OpenID Connect endpoints").
@Suite("A Keycloak realm")
struct KeycloakTests {
    static let connect = "demorealm/protocol/openid-connect"
    static let client: FormFields = ["client_id": "my_client", "client_secret": "my_client_secret"]
    private static let other: FormFields = ["client_id": "web", "client_secret": "web_secret"]
    static let person: FormFields = ["grant_type": "password", "username": "testuser", "password": "password"]
    private static let subject = "9754a26f-d7b0-4da0-8c1d-0b4d2a5b9d31"

    func realm(base: String = "/realms/") async throws -> Visitor {
        Visitor(try await Visitor.sandbox("keycloak"), base: base)
    }

    /// The tokens of the user.
    private func tokens(_ visitor: Visitor, _ further: FormFields = [:]) async throws -> JSONValue {
        let answer = try await visitor.post("\(Self.connect)/token", Self.client.with(Self.person).with(further))
        #expect(answer.status == 200)
        #expect(answer.headers[.cacheControl] == "no-store")
        return answer.json
    }

    @Test("reads credentials from the body rather than from the header, if a request has both")
    func credentialsTwice() async throws {
        let visitor = try await realm()
        let wrong: HTTPFields = [.authorization: "Basic \(Array("my_client:wrong".utf8).base64)"]
        let right: HTTPFields = [.authorization: "Basic \(Array("my_client:my_client_secret".utf8).base64)"]
        let body = try await visitor.post("\(Self.connect)/token", Self.client.with(Self.person), headers: wrong)
        #expect(body.status == 200, "\(body.body)")
        let identifier: FormFields = ["client_id": "my_client"]
        let header = try await visitor.post("\(Self.connect)/token", identifier.with(Self.person), headers: right)
        #expect(header.status == 200, "\(header.body)")
        let guess: FormFields = ["client_id": "my_client", "client_secret": "wrong"]
        let refused = try await visitor.post("\(Self.connect)/token", guess.with(Self.person), headers: right)
        #expect(refused.status == 401, "\(refused.body)")
    }

    @Test("issues refresh tokens as JWTs with expiry and subject")
    func refreshToken() async throws {
        let visitor = try await realm()
        for (scope, type) in [("openid", "Refresh"), ("openid offline_access", "Offline")] {
            let tokens = try await tokens(visitor, ["scope": scope])
            let text = try #require(tokens["refresh_token"]?.stringValue)
            let claims = try JSONWebToken(parsing: text, accepting: [.hs512]).claims
            #expect(claims["typ"]?.stringValue == type)
            #expect(claims["azp"] == "my_client")
            #expect(claims["sub"]?.stringValue == Self.subject)
            #expect(claims["iss"] == claims["aud"])
            #expect(claims["iss"]?.stringValue == "\(Visitor.origin)/realms/demorealm")
            #expect(try #require(claims["exp"]?.integerValue) - #require(claims["iat"]?.integerValue) == 30 * 86_400)
            #expect(try await introspect(visitor, text).json["active"] == true)
            let form: FormFields = ["grant_type": "refresh_token", "refresh_token": text]
            let refreshed = try await visitor.post("\(Self.connect)/token", Self.client.with(form)).json
            #expect(refreshed["refresh_token"] != nil)
            #expect(refreshed["refresh_token"]?.stringValue != text)
            // A JWT with another signature is another token.
            let forged = text.split(separator: ".").dropLast().joined(separator: ".") + ".AAAA"
            let refused = try await visitor.post("\(Self.connect)/token", Self.client.with(form).with(["refresh_token": forged]))
            #expect(refused.json["error"] == "invalid_grant")
        }
    }

    @Test("grants profile and email without a request, unless the client registered fewer scopes", arguments: [nil, "openid email"])
    func usualScopes(registered: String?) async throws {
        let visitor = Visitor(try await Visitor.sandbox(), base: "/realms/")
        try await Company.change(visitor.cloud) { provider in
            provider.clients[0].metadata.scope = registered
            provider.clients[0].furtherGrants = [.password]
        }
        let expected = registered == nil ? "openid profile email" : "openid email"
        let client: FormFields = ["client_id": "web-app", "client_secret": "web-app-client-secret"]
        let direct: FormFields = ["grant_type": "password", "username": "alice", "password": "alice-password", "scope": "openid"]
        let connect = "company/protocol/openid-connect"
        #expect(try await visitor.post("\(connect)/token", client.with(direct)).json["scope"]?.stringValue == expected)
        let login = try await visitor.get("\(connect)/auth", Requests.company.with(["scope": "openid"]))
        let action = String(login.body.components(after: "action=\"", upTo: "\"").dropFirst("/realms/".count))
        let answer = try await visitor.post(action, ["form": login.formValue, "person": "alice"])
        let form: FormFields = [
            "grant_type": "authorization_code", "code": try #require(answer.redirected["code"]), "redirect_uri": Visitor.redirectURI,
        ]
        let tokens = try await visitor.post("\(connect)/token", client.with(form))
        #expect(tokens.json["scope"]?.stringValue == expected)
        let info = try await visitor.get("\(connect)/userinfo", headers: [.authorization: "Bearer \(tokens.accessToken)"]).json
        #expect(info["preferred_username"]?.stringValue == (registered == nil ? "alice" : nil))
        #expect(info["email"] != nil)
    }

    @Test("accepts a client's secret in header and form, whichever is registered")
    func secret() async throws {
        let cloud = try await Visitor.sandbox()
        try await Company.change(cloud) { provider in
            provider.clients[0].metadata.tokenEndpointAuthMethod = "client_secret_basic"
            provider.clients[0].furtherGrants = [.clientCredentials]
        }
        let form: FormFields = ["grant_type": "client_credentials", "client_id": "web-app", "client_secret": "web-app-client-secret"]
        #expect(try await Visitor(cloud, base: "/realms/").post("company/protocol/openid-connect/token", form).status == 200)
        #expect(try await Visitor(cloud).post("company/token", form).error == "invalid_client")
        let without = form.with(["client_secret": ""])
        let refused = try await Visitor(cloud, base: "/realms/").post("company/protocol/openid-connect/token", without)
        #expect(refused.error == "unauthorized_client")
    }

    private func introspect(_ visitor: Visitor, _ token: String, as client: FormFields = client) async throws -> Answer {
        try await visitor.post("\(Self.connect)/token/introspect", client.with(["token": token]))
    }

    @Test(
        "has only Keycloak's paths",
        arguments: [
            (.get, "", 200), (.get, "/", 200), (.head, "", 200), (.options, "", 200), (.post, "", 405), (.put, "", 405),
            (.get, "/.well-known/openid-configuration", 200), (.post, "/.well-known/openid-configuration", 405),
            (.get, "/.well-known/oauth-authorization-server", 200), (.post, "/.well-known/oauth-authorization-server", 405),
            (.get, "/token", 404), (.get, "/jwks", 404),
            (.get, "/protocol/openid-connect/certs", 200), (.post, "/protocol/openid-connect/certs", 405),
            (.get, "/protocol/openid-connect/token", 405), (.post, "/protocol/openid-connect/token", 400),
            (.options, "/protocol/openid-connect/token", 200), (.get, "/protocol/openid-connect/token/introspect", 405),
            (.get, "/protocol/openid-connect/revoke", 405), (.get, "/protocol/openid-connect/userinfo", 401),
            (.delete, "/protocol/openid-connect/userinfo", 405), (.delete, "/protocol/openid-connect/auth", 405),
            (.get, "/protocol/openid-connect/auth", 400), (.delete, "/protocol/openid-connect/logout", 405),
            (.get, "/protocol/openid-connect", 404), (.get, "/protocol/openid-connect/", 404), (.get, "/protocol/saml", 404),
            (.get, "/protocol/openid-connect/tokens", 404), (.get, "/account", 404),
        ] as [(HTTPRequest.Method, String, Int)], ["/realms/", "/auth/realms/"])
    func paths(route: (HTTPRequest.Method, String, Int), base: String) async throws {
        #expect(try await realm(base: base).send(route.0, "demorealm" + route.1).status == route.2)
    }

    @Test("names itself and its endpoints by the host of the request", arguments: ["/realms/", "/auth/realms/"])
    func discovery(base: String) async throws {
        let visitor = try await realm(base: base)
        let document = try await visitor.get("demorealm/.well-known/openid-configuration").json
        let url = "\(Visitor.origin)\(base)demorealm"
        #expect(document["issuer"] == .string(url))
        for (name, path) in [
            ("authorization", "auth"), ("token", "token"), ("userinfo", "userinfo"), ("introspection", "token/introspect"),
            ("revocation", "revoke"), ("end_session", "logout"),
        ] { #expect(document["\(name)_endpoint"] == .string("\(url)/protocol/openid-connect/\(path)")) }
        #expect(document["jwks_uri"] == .string("\(url)/protocol/openid-connect/certs"))
    }

    @Test("publishes its key in every form")
    func key() async throws {
        let visitor = try await realm()
        let information = try await visitor.get("demorealm").json
        #expect(information["realm"] == "demorealm")
        #expect(information["tokens-not-before"] == 0)
        let published = try await visitor.get("\(Self.connect)/certs")
        let key = try #require(JSONWebKeySet(parsing: Array(published.body.utf8))?.keys.first)
        guard case .rsa(let publicKey) = key.key else {
            Issue.record("The key is no RSA key.")
            return
        }
        #expect(information["public_key"] == .string(publicKey.subjectPublicKeyInfo.base64))
        #expect(published.json["keys"]?.arrayValue?.first?["x5c"]?.arrayValue?.count == 1)
    }

    @Test("exists for each OpenID Connect issuer, and for no other provider")
    func unknown() async throws {
        let visitor = Visitor(try await Visitor.sandbox(), base: "/realms/")
        #expect(try await visitor.get("company").status == 200)
        for name in ["nobody", "facebook", "google", "amazon", "github"] {
            let answer = try await visitor.get("\(name)/protocol/openid-connect/certs")
            #expect(answer.status == 404)
            #expect(answer.json == ["error": "Realm does not exist"])
        }
    }

    @Test("issues a user's tokens for the password, signed and with a refresh token")
    func password() async throws {
        let visitor = try await realm()
        let issued = try await tokens(visitor, ["scope": "openid"])
        let access = try JSONWebToken(parsing: try #require(issued["access_token"]?.stringValue))
        #expect(access.claims["iss"] == .string("\(Visitor.origin)/realms/demorealm"))
        #expect(access.claims["typ"] == "Bearer")
        #expect(access.claims["azp"] == "my_client")
        #expect(access.claims["sub"] == .string(Self.subject))
        #expect(access.claims["preferred_username"] == "testuser")
        #expect(access.claims["scope"] == "openid profile email")
        let identity = try JSONWebToken(parsing: try #require(issued["id_token"]?.stringValue))
        #expect(identity.claims["aud"] == "my_client")
        #expect(identity.claims["typ"] == "ID")
        #expect(issued["refresh_token"] != nil)
        #expect(issued["not-before-policy"] == 0)
        #expect(try await tokens(visitor)["id_token"] == nil)
    }

    @Test("issues a client's own token, always with the same subject and without a refresh token")
    func clientCredentials() async throws {
        let visitor = try await realm()
        var subjects: Set<String> = []
        for _ in 0..<2 {
            let issued = try await visitor.post("\(Self.connect)/token", Self.client.with(["grant_type": "client_credentials"]))
            #expect(issued.status == 200)
            #expect(issued.json["refresh_token"] == nil)
            #expect(issued.json["id_token"] == nil)
            #expect(issued.json["refresh_expires_in"] == 0)
            #expect(issued.entry.caller == "my_client")
            let token = try #require(issued.json["access_token"]?.stringValue)
            let claims = try JSONWebToken(parsing: token).claims
            #expect(claims["preferred_username"] == "service-account-my_client")
            #expect(claims["azp"] == "my_client")
            subjects.insert(try #require(claims["sub"]?.stringValue))
            let status = try await introspect(visitor, token).json
            #expect(status["active"] == true)
            #expect(status["username"] == "service-account-my_client")
        }
        #expect(subjects.count == 1)
    }

    /// Requests, and the errors of the realm and of the issuer's own endpoint.
    private static let refusals: [(form: FormFields, realm: (Int, String), own: (Int, String))] = [
        (client.with(person).with(["password": "wrong"]), (401, "invalid_grant"), (400, "invalid_grant")),
        (client.with(person).with(["username": "nobody"]), (401, "invalid_grant"), (400, "invalid_grant")),
        (client.with(person).with(["username": ""]), (401, "invalid_request"), (400, "invalid_request")),
        (other.with(person), (400, "unauthorized_client"), (400, "unauthorized_client")),
        ((["client_id": "nobody"] as FormFields).with(person), (401, "invalid_client"), (401, "invalid_client")),
        (client.with(person).with(["client_secret": "wrong"]), (401, "unauthorized_client"), (401, "invalid_client")),
        (client.with(person).with(["client_secret": ""]), (401, "unauthorized_client"), (401, "invalid_client")),
        (person, (401, "invalid_client"), (401, "invalid_client")),
        (other.with(["grant_type": "client_credentials"]), (401, "unauthorized_client"), (400, "unauthorized_client")),
        (
            ["client_id": "cli", "grant_type": "client_credentials"] as FormFields, (401, "unauthorized_client"),
            (400, "unauthorized_client")
        ),
        (
            client.with(["grant_type": "urn:ietf:params:oauth:grant-type:device_code"]), (400, "invalid_grant"),
            (400, "unauthorized_client")
        ),
        (
            client.with(["grant_type": "urn:ietf:params:oauth:grant-type:saml2-bearer"]), (400, "unsupported_grant_type"),
            (400, "unsupported_grant_type")
        ),
        // Keycloak reads the grant type before it authenticates the client.
        (["grant_type": "urn:x"] as FormFields, (400, "unsupported_grant_type"), (401, "invalid_client")),
        (client, (400, "invalid_request"), (400, "invalid_request")),
    ]

    @Test("refuses unauthorized and invalid requests", arguments: refusals)
    func refusal(form: FormFields, realm expected: (Int, String), own: (Int, String)) async throws {
        let visitor = try await realm()
        let answer = try await visitor.post("\(Self.connect)/token", form)
        #expect(answer.status == expected.0)
        #expect(answer.error == expected.1)
        #expect(answer.json["access_token"] == nil)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.entry.errorCode == expected.1)
        let plain = try await Visitor(visitor.cloud).post("demorealm/token", form)
        #expect(plain.status == own.0)
        #expect(plain.error == own.1)
    }

    @Test("introspects tokens for clients with a secret")
    func introspection() async throws {
        let visitor = try await realm()
        let issued = try await tokens(visitor)
        let token = try #require(issued["access_token"]?.stringValue)
        for client in [Self.client, Self.other] {
            let answer = try await introspect(visitor, token, as: client)
            #expect(answer.status == 200)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.json["active"] == true)
            #expect(answer.json["token_type"] == "Bearer")
            #expect(answer.json["typ"] == "Bearer")
            #expect(answer.json["client_id"] == "my_client")
            #expect(answer.json["username"] == "testuser")
            #expect(answer.json["sub"] == .string(Self.subject))
        }
        let refresh = try await introspect(visitor, try #require(issued["refresh_token"]?.stringValue))
        #expect(refresh.json["active"] == true)
        #expect(refresh.json["typ"] == "Refresh")
        #expect(refresh.json["token_type"] == nil)
        #expect(try await introspect(visitor, "no token").json == ["active": false])
        for client: FormFields in [
            [:], ["client_id": "cli"], ["client_id": "nobody"], ["client_id": "my_client", "client_secret": "wrong"],
        ] {
            let refused = try await introspect(visitor, token, as: client)
            #expect(refused.status == 401)
            #expect(refused.json == ["error": "invalid_request", "error_description": "Authentication failed."])
        }
        let nothing = try await visitor.post("\(Self.connect)/token/introspect", Self.client)
        #expect(nothing.status == 400)
        #expect(nothing.json["error"] == "invalid_request")
    }

    @Test("has tokens that age with the sandbox")
    func aging() async throws {
        let visitor = try await realm()
        let token = try #require(try await tokens(visitor)["access_token"]?.stringValue)
        let before = try await introspect(visitor, token).json
        try await visitor.cloud.age(by: .seconds(600))
        let after = try await introspect(visitor, token).json
        for name in ["iat", "exp"] {
            #expect(try #require(before[name]?.integerValue) - (try #require(after[name]?.integerValue)) == 600)
        }
        try await visitor.cloud.age(by: .seconds(3001))
        #expect(try await introspect(visitor, token).json == ["active": false])
    }

    @Test("revokes a client's own tokens")
    func revocation() async throws {
        let visitor = try await realm()
        let token = try #require(try await tokens(visitor)["access_token"]?.stringValue)
        let path = "\(Self.connect)/revoke"
        let refusal = try await visitor.post(path, Self.other.with(["token": token]))
        #expect(refusal.status == 400)
        #expect(refusal.error == "invalid_token")
        #expect(try await introspect(visitor, token).json["active"] == true)
        #expect(try await visitor.post(path, ["token": token]).status == 401)
        #expect(try await visitor.post(path, Self.client).json["error"] == "invalid_request")
        #expect(try await visitor.post(path, Self.client.with(["token": "no token"])).status == 200)
        #expect(try await visitor.post(path, Self.client.with(["token": token])).status == 200)
        #expect(try await introspect(visitor, token).json == ["active": false])
    }

    @Test("ends a session by its refresh token")
    func logout() async throws {
        let visitor = try await realm()
        let issued = try await tokens(visitor)
        let form: FormFields = ["refresh_token": try #require(issued["refresh_token"]?.stringValue)]
        let path = "\(Self.connect)/logout"
        #expect(try await visitor.post(path, form.with(Self.other)).json["error"] == "invalid_grant")
        #expect(try await visitor.post(path, form).status == 401)
        #expect(try await visitor.post(path, form.with(Self.client)).status == 204)
        #expect(try await introspect(visitor, try #require(issued["access_token"]?.stringValue)).json == ["active": false])
        // The session has ended.
        #expect(try await visitor.post(path, form.with(Self.client)).status == 204)
        let refused = try await visitor.post(path, Self.client.with(["refresh_token": "no token"]))
        #expect(refused.error == "invalid_grant")
        #expect(refused.json["error_description"] == "Invalid refresh token")
    }

    @Test("ends the browser session of a refresh token and notifies the applications; an offline token ends alone")
    func logoutOfBrowser() async throws {
        let web = Web()
        let cloud = try await Visitor.sandbox("keycloak")
        try await cloud.edit { directory in
            var provider = try #require(directory.providers["demorealm"])
            for index in provider.clients.indices {
                provider.clients[index].metadata.backchannelLogoutURI = "https://\(provider.clients[index].id).example/logout"
            }
            directory.put(.provider(provider))
        }
        let visitor = Visitor(cloud, base: "/realms/", applications: web.applications)
        let path = "\(Self.connect)/auth"
        func query(_ id: String, _ further: FormFields = [:]) -> FormFields {
            FormFields(
                dictionaryLiteral: ("client_id", id), ("redirect_uri", Visitor.redirectURI), ("response_type", "code"), ("scope", "openid")
            ).with(further)
        }
        func tokens(_ code: String?) async throws -> JSONValue {
            let form: FormFields = [
                "grant_type": "authorization_code", "code": try #require(code), "redirect_uri": Visitor.redirectURI,
            ]
            return try await visitor.post("\(Self.connect)/token", form.with(Self.client)).json
        }
        func leave(_ tokens: JSONValue) async throws -> Int {
            let form: FormFields = ["refresh_token": try #require(tokens["refresh_token"]?.stringValue)]
            return try await visitor.post("\(Self.connect)/logout", form.with(Self.client)).status
        }
        var page = try await visitor.get(path, query("web"))
        page = try await visitor.send(
            .post, "demorealm/sign-in", form: ["form": page.formValue, "person": "testuser"])
        #expect(page.redirected["code"] != nil)
        func code(_ further: FormFields = [:]) async throws -> String? {
            try await visitor.get(path, query("my_client", further)).redirected["code"]
        }
        let offline = try await tokens(try await code(["scope": "openid offline_access"]))
        let usual = try await tokens(try await code())
        #expect(try await leave(offline) == 204)
        #expect(try await code() != nil)
        #expect(web.posts.isEmpty)
        #expect(try await leave(usual) == 204)
        #expect(try await visitor.get(path, query("web", ["prompt": "none"])).redirected["error"] == "login_required")
        #expect(Set(web.posts.map(\.url)) == ["https://my_client.example/logout", "https://web.example/logout"])
        #expect(try await introspect(visitor, try #require(usual["access_token"]?.stringValue)).json == ["active": false])
    }
}
