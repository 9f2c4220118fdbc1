import Calls
import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@Suite("Forms of other sites, to which browsers do not add the session cookie")
struct CrossSiteFormTests {
    private static let foreign: HTTPFields = [.origin: "https://app.example"]

    @Test("an authorization request is posted again by the page, and finds the session", arguments: ["/idp/", "/realms/"])
    func authorization(base: String) async throws {
        let cloud = try await Visitor.sandbox()
        let path = base == "/idp/" ? "company/authorize" : "company/protocol/openid-connect/auth"
        let visitor = Visitor(cloud, base: base)
        if base == "/idp/" { _ = try await visitor.authorize(path, Requests.company) }
        let request = Requests.company.with(["prompt": "none"])
        let page = try await Visitor(cloud, base: base).post(path, request, headers: Self.foreign)
        #expect(page.status == 200, "\(page.location) \(page.body)")
        #expect(page.body.contains("action=\"\(base)\(path)\""), "\(page.location) \(page.body)")
        #expect(page.body.contains("name=\"again\" value=\"1\""))
        #expect(page.body.contains("name=\"state\" value=\"s t&amp;te\""))
        // Pages with the referrer policy no-referrer send `null`.
        let again = try await visitor.post(path, request.with(["again": "1"]), headers: [.origin: "null"])
        #expect(again.status == 302, "\(again.location)")
        #expect((again.redirected["code"] != nil) == (base == "/idp/"), "\(again.location)")
    }

    @Test("a logout is posted again by the page, and ends the session", arguments: [true, false])
    func logout(isHinted: Bool) async throws {
        let cloud = try await Company.sandbox { $0.responseTypes = ["code", "id_token"] }
        let visitor = Visitor(cloud)
        let hint = try await Company.login(visitor)
        let form: FormFields = isHinted ? ["id_token_hint": hint] : ["client_id": "web-app"]
        let page = try await Visitor(cloud).post("company/logout", form, headers: Self.foreign)
        #expect(page.status == 200)
        #expect(page.body.contains("name=\"again\""))
        #expect(!page.body.contains("Logged out"))
        let again = try await visitor.post("company/logout", form.with(["again": "1"]), headers: [.origin: "null"])
        #expect(again.body.contains("Logged out") == isHinted)
        #expect(again.body.contains("value=\"logout\"") == !isHinted)
        let alone = try await Visitor(cloud).post("company/logout", form.with(["again": "1"]), headers: [.origin: "null"])
        #expect(alone.body.contains("Logged out"), "it is asked once only")
    }

    @Test(
        "the form of a login page is refused from other pages, even with its token and its cookie",
        arguments: [
            [.origin: "https://evil.example"], [.origin: "null"], [.secFetchSite: "same-site", .origin: "http://localhost:8765"],
            [.secFetchSite: "cross-site", .origin: "null"],
        ] as [HTTPFields])
    func stolenForm(fields: HTTPFields) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let page = try await visitor.get("company/authorize", Requests.company)
        let form: FormFields = ["form": page.formValue, "person": "alice"]
        let refused = try await visitor.post(page.formAction, form, headers: fields)
        #expect(refused.status == 403)
        #expect(refused.entry.errorCode == "foreign_form")
        #expect(refused.headers[.setCookie] == nil)
        let own: HTTPFields = [.secFetchSite: "same-origin", .origin: Visitor.origin]
        #expect(try await visitor.post(page.formAction, form, headers: own).isConsent, "the form was not used up")
    }

    @Test(
        "the forms of a user's account are refused in the same way",
        arguments: ["amazon/ap/adam", "google/connections", "facebook/settings/applications", "github/settings/applications"])
    func account(path: String) async throws {
        let refused = try await Visitor(try await Visitor.sandbox()).post(path, ["form": "x"], headers: Self.foreign)
        #expect(refused.status == 403)
        #expect(refused.entry.errorCode == "foreign_form")
    }

    @Test("a form of the same origin or without an origin is accepted", arguments: [nil, Visitor.origin])
    func own(origin: String?) async throws {
        var headers: HTTPFields = [:]
        if let origin { headers[.origin] = origin }
        let answer = try await Visitor(try await Visitor.sandbox()).post("company/authorize", Requests.company, headers: headers)
        #expect(answer.isLogin)
    }
}
