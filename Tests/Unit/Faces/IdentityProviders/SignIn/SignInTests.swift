import Cloud
import HTTPTypes
import Testing
import WireFormats

@Suite("The login and consent pages of a provider")
struct SignInTests {
    private func request(_ further: (String, String)...) -> FormFields {
        var request = Requests.company
        request.fields += further.map { .init(name: $0.0, value: $0.1) }
        return request
    }

    @Test("name and password lead to the consent page and from there to the application")
    func passwordLogin() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let login = try await visitor.get("company/authorize", Requests.company)
        #expect(login.status == 200)
        #expect(login.isLogin)
        let consent = try await visitor.press(
            "action", "login", on: login, filling: ["username": "alice", "password": "alice-password"])
        #expect(consent.isConsent)
        #expect(consent.body.contains("Alice Archer"))
        let answer = try await visitor.press("action", "allow", on: consent)
        #expect(answer.status == 302)
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "?code="))
        #expect(answer.redirected["state"] == "s t&te")
        #expect(answer.redirected["iss"] == "\(Visitor.origin)/idp/company")
        #expect(answer.entry.caller == "alice")
        #expect(answer.entry.face == "company")
    }

    @Test("a wrong password shows the page again with an alert, and the typed name escaped")
    func wrongPassword() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let login = try await visitor.get("company/authorize", Requests.company)
        let again = try await visitor.press(
            "action", "login", on: login, filling: ["username": "<script>\"'&", "password": "x"])
        #expect(again.isLogin)
        #expect(again.body.contains("role=\"alert\""))
        #expect(again.body.contains("&lt;script&gt;&quot;&#39;&amp;"))
        #expect(!again.body.contains("<script>"))
        let consent = try await visitor.press(
            "action", "login", on: again, filling: ["username": "bob", "password": "bob-password"])
        #expect(consent.isConsent)
    }

    @Test("every page forbids framing, scripts, storing and referrers")
    func headers() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let login = try await visitor.get("company/authorize", Requests.company)
        let fault = try await visitor.get("company/authorize", ["client_id": "nobody"])
        for page in [login, fault] {
            #expect(page.headers[.init("X-Frame-Options")!] == "DENY")
            #expect(page.headers[.init("Referrer-Policy")!] == "same-origin")
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(page.headers[.contentSecurityPolicy]?.contains("script-src") == false)
        }
        let cookie = try #require(login.headers[.setCookie])
        #expect(cookie.contains("HttpOnly"))
        #expect(cookie.contains("SameSite=Lax"))
        #expect(cookie.contains("Path=/idp/company/"))
    }

    @Test("a form works once")
    func formTwice() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let login = try await visitor.get("company/authorize", Requests.company)
        #expect(try await visitor.press("person", "alice", on: login).isConsent)
        let second = try await visitor.press("person", "alice", on: login)
        #expect(second.status == 400)
        #expect(second.location.isEmpty)
    }

    @Test("a form is refused from another browser, and remains valid for its own")
    func foreignForm() async throws {
        let cloud = try await Visitor.sandbox()
        let (victim, attacker) = (Visitor(cloud), Visitor(cloud))
        _ = try await attacker.get("company/authorize", Requests.company)
        let page = try await victim.get("company/authorize", Requests.company)
        #expect(try await attacker.press("person", "alice", on: page).status == 400)
        #expect(try await Visitor(cloud).press("person", "alice", on: page).status == 400)
        #expect(try await victim.press("person", "alice", on: page).isConsent)
    }

    @Test("a form of one provider is refused at another")
    func formOfOtherProvider() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let page = try await visitor.get("company/authorize", Requests.company)
        #expect(try await visitor.post("facebook/sign-in", ["form": page.formValue, "person": "alice"]).status == 400)
    }

    @Test("a second request of the browser skips both pages")
    func sessionAndConsent() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        #expect(try await visitor.authorize("company/authorize", Requests.company).redirected["code"] != nil)
        #expect(try await visitor.get("company/authorize", Requests.company).redirected["code"] != nil)
        #expect(try await visitor.get("company/authorize", request(("prompt", "none"))).redirected["code"] != nil)
    }

    @Test("a wider scope asks for consent again")
    func widerScope() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        _ = try await visitor.authorize("company/authorize", Requests.company)
        var wider = Requests.company
        wider.set("scope", "openid profile email")
        let page = try await visitor.get("company/authorize", wider)
        #expect(page.isConsent)
        #expect(!page.isLogin)
    }

    @Test("prompts show the pages again", arguments: [("login", true), ("select_account", true), ("consent", false)])
    func prompts(prompt: String, isLogin: Bool) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        _ = try await visitor.authorize("company/authorize", Requests.company)
        let page = try await visitor.get("company/authorize", request(("prompt", prompt)))
        #expect(page.isLogin == isLogin)
        #expect(page.isConsent == !isLogin)
    }

    @Test("prompt=none returns an error if a page would be needed")
    func promptNone() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let silent = request(("prompt", "none"))
        #expect(try await visitor.get("company/authorize", silent).redirected["error"] == "login_required")
        let login = try await visitor.get("company/authorize", Requests.company)
        #expect(try await visitor.press("person", "alice", on: login).isConsent)
        #expect(try await visitor.get("company/authorize", silent).redirected["error"] == "consent_required")
    }

    @Test("a login that is too old for max_age is repeated")
    func maximumAge() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        _ = try await visitor.authorize("company/authorize", Requests.company)
        #expect(try await visitor.get("company/authorize", request(("max_age", "600"))).redirected["code"] != nil)
        try await visitor.cloud.age(by: .seconds(3600))
        #expect(try await visitor.get("company/authorize", request(("max_age", "600"))).isLogin)
        #expect(try await visitor.get("company/authorize", request(("max_age", "7200"))).redirected["code"] != nil)
    }

    @Test("a denial redirects without a code", arguments: [true, false])
    func deny(onLoginPage: Bool) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        var page = try await visitor.get("company/authorize", Requests.company)
        if !onLoginPage { page = try await visitor.press("person", "alice", on: page) }
        let answer = try await visitor.press("action", "deny", on: page)
        #expect(answer.redirected["error"] == "access_denied")
        #expect(answer.redirected["state"] == "s t&te")
        #expect(answer.redirected["code"] == nil)
        #expect(answer.entry.errorCode == "access_denied")
    }

    @Test("another account can be chosen on the consent page")
    func switchAccount() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let login = try await visitor.get("company/authorize", Requests.company)
        let consent = try await visitor.press("person", "alice", on: login)
        let second = try await visitor.press("action", "switch", on: consent)
        #expect(second.isLogin)
        #expect(try await visitor.press("person", "bob", on: second).body.contains("Bob Baker"))
    }

    @Test(
        "the whole flow of each provider ends with a response",
        arguments: [
            ("company/authorize", Requests.company), ("facebook/dialog/oauth", Requests.facebook),
            ("amazon/ap/oa", Requests.amazon), ("google/o/oauth2/v2/auth", Requests.google),
            ("github/login/oauth/authorize", Requests.github),
        ])
    func everyProvider(target: String, query: FormFields) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.authorize(target, query, as: "carol")
        #expect(answer.status == 302)
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "?"))
        #expect(answer.redirected["code"] != nil)
    }

    @Test("an unknown provider is not found")
    func unknownProvider() async throws {
        #expect(try await Visitor(try await Visitor.sandbox()).get("nobody/authorize").status == 404)
    }
}
