import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

/// Identifiers and texts are those of Keycloak's login theme (`login.ftl`, `register.ftl`, `messages_en.properties`).
@Suite("The login page of a Keycloak realm")
struct RealmLoginTests {
    @Test("scripts find the form, and post only user name and password")
    func form() async throws {
        let realm = try await Realm()
        let page = try await realm.open()
        for part in [
            "id=\"kc-form-login\"", "id=\"kc-login\"", "id=\"username\" name=\"username\"", "id=\"password\" name=\"password\"",
        ] { #expect(page.body.contains(part)) }
        #expect(page.realmAction.hasPrefix("demorealm/login-actions/authenticate?session_code="))
        for name in ["execution=", "client_id=my_client", "tab_id="] { #expect(page.realmAction.contains(name)) }
        let answer = try await realm.logIn(on: page)
        #expect(answer.status == 302)
        #expect(answer.redirected["code"] != nil)
        #expect(try await realm.logIn(on: page).entry.errorCode == "form_expired")
    }

    @Test("shows that user name or password are wrong, and that an account is disabled")
    func faults() async throws {
        let realm = try await Realm()
        let wrong = try await realm.logIn(on: try await realm.open(), "testuser", "wrong")
        #expect(wrong.status == 200)
        #expect(wrong.body.components(after: "id=\"input-error\"", upTo: "/").contains("Invalid username or password."))
        #expect(try await realm.logIn(on: wrong).redirected["code"] != nil)
        try await realm.visitor.change("demorealm") { $0.people[0].isEnabled = false }
        let other = Realm(on: realm)
        let disabled = try await other.logIn(on: try await other.open())
        #expect(disabled.body.contains("<span class=\"kc-feedback-text\">Account is disabled, contact your administrator.</span>"))
        // The session of the browser that was logged in has ended.
        #expect(try await realm.open(["prompt": "none"]).redirected["error"] == "login_required")
    }

    @Test("asks for no consent, so that the next client needs no page")
    func consent() async throws {
        let realm = try await Realm()
        let answer = try await realm.logIn(on: try await realm.open())
        #expect(answer.redirected["code"] != nil)
        #expect(try await realm.open(["prompt": "none"], client: "web").redirected["code"] != nil)
        #expect(try await realm.open(["prompt": "consent"], client: "web").redirected["code"] != nil)
    }

    @Test("asks for consent if the client requires it")
    func requiredConsent() async throws {
        let realm = try await Realm { $0.clients[0].requiresConsent = true }
        let page = try await realm.logIn(on: try await realm.open())
        #expect(page.isConsent)
        let silent = try await realm.open(["prompt": "none"])
        #expect(silent.redirected["error"] == "interaction_required")
        #expect(silent.redirected["error_description"] == nil)
        #expect(try await realm.visitor.post(page.realmAction, ["form": page.formValue, "accept": "Yes"]).redirected["code"] != nil)
    }

    @Test("the issuer's own paths ask for consent unless the client says otherwise", arguments: [nil, true, false])
    func ownPaths(requires: Bool?) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await Company.change(visitor.cloud) { $0.clients[0].requiresConsent = requires }
        let login = try await visitor.get("company/authorize", Requests.company)
        let next = try await visitor.press("person", "alice", on: login)
        #expect(next.isConsent == (requires != false))
    }

    @Test("a disabled account cannot be chosen at the issuer's own page")
    func chosen() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.change("company") { provider in
            guard let alice = provider.people.firstIndex(where: { $0.name == "alice" }) else { return }
            provider.people[alice].isEnabled = false
        }
        let login = try await visitor.get("company/authorize", Requests.company)
        let refused = try await visitor.press("person", "alice", on: login)
        #expect(refused.isLogin)
        #expect(refused.body.contains("This account is disabled."))
    }

    @Test("people register if the realm allows it", arguments: ["auth", "registrations"])
    func registration(path: String) async throws {
        let realm = try await Realm { $0.allowsRegistration = true }
        #expect(try await realm.open().body.contains("id=\"kc-registration\""))
        let query: FormFields = [
            "client_id": "my_client", "redirect_uri": Visitor.redirectURI, "response_type": "code", "scope": "openid",
            "prompt": path == "auth" ? "create" : "",
        ]
        let page = try await realm.visitor.get("\(Realm.connect)/\(path)", query)
        #expect(page.body.contains("id=\"kc-register-form\""))
        let form: FormFields = [
            "username": "Nora", "password": "secret", "password-confirm": "secrets", "email": "TESTUSER@example.com",
            "firstName": "Nora", "lastName": "Nord",
        ]
        let refused = try await realm.visitor.post(page.realmAction, form)
        #expect(refused.body.contains("Password confirmation doesn&#39;t match."))
        #expect(refused.body.contains("Email already exists."))
        #expect(!refused.body.contains("value=\"secret\""))
        let done = try await realm.visitor.post(
            refused.realmAction, form.with(["password-confirm": "secret", "email": "nora@example.com"]))
        let code: FormFields = [
            "grant_type": "authorization_code", "code": try #require(done.redirected["code"], "\(done.body)"),
            "redirect_uri": Visitor.redirectURI,
        ]
        let claims = try JSONWebToken(parsing: try await realm.token(code).accessToken).claims
        #expect(claims["preferred_username"] == "nora")
        #expect(claims["email"] == "nora@example.com")
        let again = try await realm.token(Realm.person.with(["username": "nora", "password": "secret"]))
        #expect(again.status == 200)
    }

    @Test("registration is not allowed by default, and unknown at the issuer's own paths")
    func noRegistration() async throws {
        let realm = try await Realm()
        #expect(!(try await realm.open().body.contains("kc-registration")))
        let refused = try await realm.open(["prompt": "create"])
        #expect(refused.status == 400)
        #expect(refused.body.contains("Registration not allowed"))
        let own = try await Visitor(realm.visitor.cloud).get(
            "demorealm/authorize",
            [
                "client_id": "my_client", "redirect_uri": Visitor.redirectURI, "response_type": "code", "prompt": "create",
                "scope": "openid",
            ])
        #expect(own.redirected["error"] == "invalid_request")
    }
}

extension Realm {
    /// The same realm with another browser.
    init(on other: Realm) { visitor = Visitor(other.visitor.cloud, base: "/realms/") }
}
