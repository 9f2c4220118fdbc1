import Cloud
import HTTPTypes
import Testing
import WireFormats

@Suite("Facebook's pages for users")
struct AccessTokenToolTests {
    private static let debugger = "facebook/tools/debug/accesstoken"

    private func signedIn(_ visitor: Visitor) async throws {
        _ = try await visitor.authorize("facebook/dialog/oauth", Requests.facebook.with(["scope": "email"]))
    }

    @Test("the tool lists tokens of the user after a login, and never the secret of an app")
    func tool() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let login = try await visitor.get("facebook/tools/accesstoken")
        #expect(login.isLogin)
        let opened = try await visitor.press("person", "alice", on: login)
        #expect(opened.status == 302)
        #expect(opened.location.hasPrefix("\(Visitor.origin)/idp/facebook/tools/accesstoken"))
        let empty = try await visitor.get("facebook/tools/accesstoken")
        #expect(empty.body.contains("grant permissions"))
        #expect(empty.body.contains("\(FacebookTests.app)|…"))
        try await signedIn(visitor)
        let page = try await visitor.get("facebook/tools/accesstoken")
        let token = try #require(page.body.firstMatch(of: /EAA[A-Za-z0-9]{160,}/)).output
        let me = try await visitor.get("facebook/me", ["access_token": String(token), "fields": "email"])
        #expect(me.json["email"] == "alice@example.com")
        for shown in [login, empty, page] { #expect(!shown.body.contains("facebook-app-secret")) }
    }

    @Test("the debugger shows the properties of a token, and extends it for 60 days")
    func extend() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await signedIn(visitor)
        let answer = try await visitor.get("facebook/dialog/oauth", Requests.facebook.with(["response_type": "token"]))
        let token = try #require(answer.redirected["access_token"])
        let page = try await visitor.get(Self.debugger, ["access_token": token])
        #expect(page.shown("is_valid") == "true")
        #expect(page.shown("type") == "USER")
        #expect(page.shown("app_id") == FacebookTests.app)
        #expect(page.shown("scopes") == "public_profile, email")
        let extended = try await visitor.press("action", "extend", on: page)
        #expect(extended.body.contains("This token lives long"))
        #expect(extended.shown("issued_at") != nil)
        #expect(!extended.body.contains("Extend Access Token"))
        let longLived = try #require(extended.body.firstMatch(of: /EAA[A-Za-z0-9]{160,}/)).output
        try await visitor.cloud.age(by: .seconds(59 * 86_400))
        #expect(try await visitor.get("facebook/me", ["access_token": String(longLived)]).status == 200)
        #expect(try await visitor.get("facebook/me", ["access_token": token]).status == 400)
        try await visitor.cloud.age(by: .seconds(86_400))
        #expect(try await visitor.get("facebook/me", ["access_token": String(longLived)]).json["error"]?["error_subcode"] == 463)
    }

    @Test("the debugger reports invalid tokens, escapes text, and accepts its form once and from one browser")
    func faults() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await signedIn(visitor)
        let wrong = try await visitor.get(Self.debugger, ["access_token": "<b>\"x"])
        #expect(wrong.shown("is_valid") == "false")
        #expect(!wrong.body.contains("<b>"))
        #expect(!wrong.body.contains("Extend Access Token"))
        let app = try await visitor.get(Self.debugger, ["access_token": FacebookTests.appToken])
        #expect(app.shown("type") == "APP")
        #expect(!app.body.contains("Extend Access Token"))
        let answer = try await visitor.get("facebook/dialog/oauth", Requests.facebook.with(["response_type": "token"]))
        let page = try await visitor.get(Self.debugger, ["access_token": try #require(answer.redirected["access_token"])])
        let stranger = Visitor(visitor.cloud)
        #expect(try await stranger.press("action", "extend", on: page).status == 400)
        #expect(try await visitor.press("action", "extend", on: page).status == 200)
        #expect(try await visitor.press("action", "extend", on: page).status == 400)
    }

    @Test("the pages are empty without a login", arguments: ["tools/accesstoken", "tools/debug/accesstoken", "settings/applications"])
    func refused(path: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let login = try await visitor.get("facebook/\(path)")
        let back = try await visitor.press("action", "deny", on: login)
        #expect(back.location.contains("error=access_denied"))
        #expect(try await visitor.get("facebook/\(path)?error=access_denied").status == 401)
    }

    @Test(
        "a user removes an application, which revokes its tokens",
        arguments: [
            ("facebook", "settings/applications", "1234567890123456"), ("amazon", "ap/adam", "amzn1.application-oa2-client.personalfiles"),
            ("google", "connections", "1234567890.apps.googleusercontent.com"),
        ])
    func remove(provider: String, path: String, client: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let (target, request, reading, refusal) =
            switch provider {
            case "facebook": ("dialog/oauth", Requests.facebook.with(["response_type": "token"]), "me", 400)
            case "amazon": ("ap/oa", Requests.amazon.with(["response_type": "token"]), "user/profile", 400)
            default: ("o/oauth2/v2/auth", Requests.google.with(["response_type": "token"]), "oauth2/v3/userinfo", 401)
            }
        let token = try #require(try await visitor.authorize("\(provider)/\(target)", request).redirected["access_token"])
        #expect(try await visitor.get("\(provider)/\(reading)", ["access_token": token]).status == 200)
        let page = try await visitor.get("\(provider)/\(path)")
        #expect(page.body.contains("Remove Personal Files"))
        let removed = try await visitor.press("remove", client, on: page)
        #expect(removed.status == 200)
        #expect(!removed.body.contains("Remove Personal Files"))
        #expect(try await visitor.get("\(provider)/\(reading)", ["access_token": token]).status == refusal)
        #expect(try await visitor.get("\(provider)/\(target)", request).isConsent)
        #expect(try await visitor.press("remove", client, on: page).status == 400, "the form works once")
    }

    @Test(
        "refusals are in the journal",
        arguments: [
            "facebook/settings/applications", "facebook/tools/debug/accesstoken", "amazon/ap/adam", "google/connections",
            "github/settings/applications",
        ])
    func journal(target: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let expired = try await visitor.post(target, ["form": "x"])
        #expect(expired.status == 400)
        #expect(expired.entry.errorCode == "form_expired")
        let refused = try await visitor.get(target, ["error": "access_denied"])
        #expect(refused.status == 401)
        #expect(refused.entry.errorCode == "access_denied")
    }
}
