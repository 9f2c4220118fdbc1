import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Clients of a Keycloak realm")
struct RealmClientsTests {
    @Test(
        "a registered redirect URI may end in *",
        arguments: [
            ("http://localhost:9/*", "http://localhost:9/app/cb", true), ("http://localhost:9/*", "http://localhost:9", true),
            ("http://localhost:9/*", "http://localhost:9/app?a=b", true), ("http://localhost:9/*", "http://localhost:90/app", false),
            ("http://localhost/*", "http://localhost:3000/app", true), ("https://app.example/*", "https://app.example:1/cb", false),
            ("https://app.example/a/*", "https://app.example/a/../b", false),
            ("https://app.example/*", "https://app.example/%2e%2E/b", false),
            ("https://app.example/*", "https://app.example/..%2fb", false), ("https://app.example/*", "https://app.example/..;x/b", false),
            ("https://app.example/*", "https://app.example/%252e%252e/b", false),
            ("https://app.example*", "https://app.example@evil.example/", false),
            ("https://app.example/*", "https://app.example/#a", false), ("https://app.example/*", "https://app.example/\r\na: b", false),
            ("*", "https://any.example/cb", true), ("*", "javascript:alert(1)", false), ("/app/*", "http://localhost:4566/app/cb", true),
            ("/app/*", "http://evil.example/app/cb", false), ("com.example.app:/*", "com.example.app:/cb", true),
            ("https://app.example/?a=*", "https://app.example/?a=b", false), ("https://app.example/cb", "https://app.example/cb", true),
            ("https://app.example/cb", "https://app.example/cb/", false),
        ])
    func wildcard(registered: String, requested: String, isGood: Bool) async throws {
        let realm = try await Realm { $0.clients[0].redirectURIs = [registered] }
        let answer = try await realm.open(["redirect_uri": requested])
        #expect(answer.isLogin == isGood, "\(answer.body)")
        if !isGood { #expect(answer.body.contains("Invalid parameter: redirect_uri")) }
        let own = try await Visitor(realm.visitor.cloud).get(
            "demorealm/authorize",
            ["client_id": "my_client", "redirect_uri": requested, "response_type": "code", "scope": "openid", "state": "s"])
        #expect(own.isLogin == (registered == requested))
    }

    @Test("the code of a client with * is bound to the URI of its request")
    func bound() async throws {
        let realm = try await Realm { $0.clients[0].redirectURIs = ["http://localhost:8765/*"] }
        let code = try #require(try await realm.logIn(on: try await realm.open()).redirected["code"])
        let form: FormFields = ["grant_type": "authorization_code", "code": code, "redirect_uri": "http://localhost:8765/other"]
        #expect(try await realm.token(form).errorDescription == "Incorrect redirect_uri")
        #expect(try await realm.token(form.with(["redirect_uri": Visitor.redirectURI])).status == 200)
        #expect(try await realm.token(form.with(["redirect_uri": Visitor.redirectURI])).errorDescription == "Code not valid")
    }

    @Test("a logout continues at a URI of the client, also with * and +")
    func logout() async throws {
        let realm = try await Realm { provider in
            provider.clients[0].redirectURIs = ["https://app.example/*"]
            provider.clients[1].metadata.postLogoutRedirectURIs = ["+", "https://bye.example/"]
        }
        func leave(_ client: String, _ url: String) async throws -> Answer {
            try await realm.visitor.get("\(Realm.connect)/logout", ["client_id": client, "post_logout_redirect_uri": url])
        }
        #expect(try await leave("my_client", "https://app.example/bye").status == 302)
        #expect(try await leave("web", Visitor.redirectURI).status == 302)
        #expect(try await leave("web", "https://bye.example/").status == 302)
        let refused = try await leave("web", "https://evil.example/")
        #expect(refused.status == 400)
        #expect(refused.body.contains("Invalid redirect uri"))
    }

    @Test(
        "web origins decide whose pages may read a response",
        arguments: [
            (nil, "http://localhost:8765", true), (nil, "https://evil.example", false), (["+"], "http://localhost:8765", true),
            (["https://app.example"], "https://app.example", true), (["https://app.example"], "http://localhost:8765", false),
            (["*"], "https://any.example", true), ([], "http://localhost:8765", false),
        ] as [([String]?, String, Bool)])
    func origins(registered: [String]?, origin: String, isAllowed: Bool) async throws {
        let realm = try await Realm { $0.clients[0].webOrigins = registered }
        let headers: HTTPFields = [.origin: origin]
        let path = "\(Realm.connect)/token"
        let answer = try await realm.visitor.send(.post, path, form: Realm.client.with(Realm.person), headers: headers)
        let token: HTTPFields = [.origin: origin, .authorization: "Bearer \(answer.accessToken)"]
        for answer in [answer, try await realm.visitor.get("\(Realm.connect)/userinfo", headers: token)] {
            #expect(answer.headers[.accessControlAllowOrigin] == (isAllowed ? origin : nil))
            #expect(answer.headers[.accessControlAllowCredentials] == (isAllowed ? "true" : nil))
            #expect(answer.headers[.vary] == "Origin")
        }
        // What does not depend on a client is for all.
        let certificates = try await realm.visitor.get("\(Realm.connect)/certs", headers: headers)
        #expect(certificates.headers[.accessControlAllowOrigin] == origin)
        let preflight = try await realm.visitor.send(.options, path, headers: headers)
        #expect(preflight.headers[.accessControlAllowOrigin] == origin)
        #expect(
            preflight.headers[.accessControlAllowHeaders]
                == "Origin, Accept, X-Requested-With, Content-Type, Access-Control-Request-Method, Access-Control-Request-Headers, DPoP, "
                + "Authorization")
        let own = try await Visitor(realm.visitor.cloud).send(.post, "demorealm/token", form: Realm.client, headers: headers)
        #expect(own.headers[.accessControlAllowOrigin] == "*")
    }

    @Test("a public client needs no challenge, and may send a plain one")
    func challenge() async throws {
        let realm = try await Realm()
        let without = try #require(try await realm.logIn(on: try await realm.open(client: "cli")).redirected["code"])
        let form: FormFields = ["grant_type": "authorization_code", "redirect_uri": Visitor.redirectURI]
        let client: FormFields = ["client_id": "cli"]
        #expect(try await realm.token(form.with(["code": without]), as: client).status == 200)
        let verifier = Requests.verifier
        for method in [["code_challenge_method": "plain"], [:]] as [FormFields] {
            let plain = try await realm.open(method.with(["code_challenge": verifier]), client: "cli")
            let code: FormFields = ["code": try #require(plain.redirected["code"])]
            let wrong = try await realm.token(form.with(code).with(["code_verifier": Requests.challenge]), as: client)
            #expect(wrong.errorDescription == "PKCE verification failed: Code mismatch")
            #expect(try await realm.token(form.with(code).with(["code_verifier": verifier]), as: client).status == 200)
        }
        let unknown = try await realm.open(["code_challenge": verifier, "code_challenge_method": "S1"], client: "cli")
        #expect(unknown.redirected["error_description"] == "Invalid parameter: code_challenge_method")
        let document = try await realm.visitor.get("demorealm/.well-known/openid-configuration").json
        #expect(document["code_challenge_methods_supported"] == ["plain", "S256"])
    }

    @Test("SAML has one endpoint and a descriptor, which name the realm")
    func saml() async throws {
        let app = try await ServiceProviderFixture()
        let visitor = Visitor(app.cloud, base: "/realms/")
        let url = "\(Visitor.origin)/realms/company"
        let answer = try await visitor.get("company/protocol/saml/descriptor")
        let descriptor = try XMLElement(parsing: Array(answer.body.utf8))
        #expect(descriptor.attribute("entityID") == url)
        let services = descriptor.child("IDPSSODescriptor")?.children(named: "SingleSignOnService") ?? []
        #expect(services.first?.attribute("Location") == "\(url)/protocol/saml")
        let request = app.request(attributes: ["Destination": "\(url)/protocol/saml"])
        let query = try SAMLRedirect.query(.request, request, relayState: nil, key: XMLSigningKey(app.key))
        let login = try await visitor.get("company/protocol/saml?\(query)")
        #expect(login.body.contains("id=\"kc-form-login\""))
        let done = try await visitor.post(login.realmAction, ["username": "alice", "password": "p"])
        #expect(done.statusCodes == ["Success"])
        #expect(done.message?.child("Issuer", in: SAML.assertion)?.text == url)
        #expect(try await visitor.get("company/protocol/saml").status == 400)
    }
}
