import Cloud
import Directory
import Federation
import HTTPTypes
import Synchronization
import Testing
import WireFormats

@Suite("Facebook's test users")
struct FacebookTestUserTests {
    private static let edge = "facebook/\(FacebookTests.app)/accounts/test-users"

    private func create(_ visitor: Visitor, _ fields: FormFields = [:]) async throws -> JSONValue {
        try await visitor.post(Self.edge, fields.with(["access_token": FacebookTests.appToken])).json
    }

    @Test("are created, listed, changed and deleted by the app")
    func lifecycle() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let user = try await create(visitor, ["name": "Tess Ann Tester", "permissions": "email", "locale": "de_DE"])
        let id = try #require(user["id"]?.stringValue)
        let token = try #require(user["access_token"]?.stringValue)
        #expect(user["login_url"]?.stringValue == "\(Visitor.origin)/idp/facebook/checkpoint/test-user-login/\(id)/")
        #expect(user["email"]?.stringValue?.hasSuffix("@tfbnw.net") == true)
        #expect(user["password"]?.stringValue?.isEmpty == false)
        let me = try await visitor.get("facebook/me", ["access_token": token, "fields": "first_name,middle_name,last_name,email"])
        #expect(me.json["first_name"] == "Tess")
        #expect(me.json["middle_name"] == "Ann")
        #expect(me.json["last_name"] == "Tester")
        #expect(me.json["email"] == user["email"])

        let listed = try await visitor.get(Self.edge, ["access_token": FacebookTests.appToken]).json["data"]?.arrayValue
        #expect(listed?.count == 1)
        #expect(listed?.first?["id"]?.stringValue == id)
        #expect(listed?.first?["access_token"] != nil)

        let renamed = try await visitor.post("facebook/\(id)", ["access_token": FacebookTests.appToken, "name": "Tess New"])
        #expect(renamed.json == ["success": true])
        #expect(try await visitor.get("facebook/\(id)", ["access_token": FacebookTests.appToken]).json["name"] == "Tess New")

        #expect(
            try await visitor.send(.delete, "facebook/\(id)?access_token=\(FacebookTests.appToken.replacing("|", with: "%7C"))").json == [
                "success": true
            ])
        #expect(try await visitor.get("facebook/me", ["access_token": token]).json["error"]?["error_subcode"] == 458)
        #expect(try await visitor.get(Self.edge, ["access_token": FacebookTests.appToken]).json["data"] == [])
    }

    @Test("lose their browser sessions when deleted, also without an installed app")
    func sessions() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let user = try await create(visitor, ["installed": "false"])
        let id = try #require(user["id"]?.stringValue)
        let (grants, now) = (visitor.cloud.grants, visitor.cloud.clock.now)
        let name = try #require(user["email"]?.stringValue)
        let session = Grant(
            kind: .browserSession, provider: "facebook", client: "", person: name, issued: now, expires: now + .seconds(600))
        try await visitor.cloud.grantIssuer.keep(session, under: "cookie")
        let deleted = try await visitor.get("facebook/\(id)", ["access_token": FacebookTests.appToken, "method": "delete"])
        #expect(deleted.json == ["success": true])
        #expect(try grants.find("cookie", kind: .browserSession, at: "facebook") == nil)
    }

    @Test("trigger the deauthorize callback when deleted, unless they never installed the app")
    func deletion() async throws {
        let posts = Mutex(0)
        let applications = Applications(
            fetch: { _ in throw CancellationError() },
            post: { _, _ in
                posts.withLock { $0 += 1 }
                return 200
            })
        let visitor = Visitor(try await Visitor.sandbox(), applications: applications)
        try await visitor.changeApp { $0.deauthorizeCallbackURL = "https://app.example/removed" }
        for (installed, expected) in [("false", 0), ("true", 1)] {
            let id = try #require(try await create(visitor, ["installed": installed])["id"]?.stringValue)
            let deleted = try await visitor.get("facebook/\(id)", ["access_token": FacebookTests.appToken, "method": "delete"])
            #expect(deleted.json == ["success": true])
            #expect(posts.withLock { $0 } == expected)
        }
    }

    @Test("lose their earlier tokens when their password changes")
    func password() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let user = try await create(visitor)
        let (id, token) = (try #require(user["id"]?.stringValue), try #require(user["access_token"]?.stringValue))
        _ = try await visitor.post("facebook/\(id)", ["access_token": FacebookTests.appToken, "password": "another-password"])
        let error = try await visitor.get("facebook/me", ["access_token": token]).json["error"]
        #expect(error?["code"] == 190)
        #expect(error?["error_subcode"] == 460)
        let login = try await visitor.get("facebook/dialog/oauth", Requests.facebook.with(["response_type": "token"]))
        let answer = try await visitor.press(
            "action", "login", on: login,
            filling: ["username": try #require(user["email"]?.stringValue), "password": "another-password"])
        #expect(answer.status == 302, "installed already, so that nobody is asked")
    }

    @Test("that have not installed the app have no token, and see the consent page")
    func notInstalled() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let user = try await create(visitor, ["installed": "false"])
        #expect(user["access_token"] == nil)
        let mail = try #require(user["email"]?.stringValue)
        let login = try await visitor.get("facebook/dialog/oauth", Requests.facebook)
        #expect(try await visitor.press("person", mail, on: login).isConsent)
    }

    @Test("are logged in by their login URL")
    func loginAddress() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let user = try await create(visitor)
        let address = try #require(user["login_url"]?.stringValue).dropFirst("\(Visitor.origin)/idp/".count)
        let opened = try await visitor.get(String(address))
        #expect(opened.status == 302)
        #expect(opened.location == "\(Visitor.origin)/idp/facebook/tools/accesstoken")
        let answer = try await visitor.get("facebook/dialog/oauth", Requests.facebook.with(["response_type": "token"]))
        let token = try #require(answer.redirected["access_token"])
        #expect(try await visitor.get("facebook/me", ["access_token": token]).json["id"] == user["id"])
        #expect(try await visitor.get("facebook/checkpoint/test-user-login/100001234567890/").status == 404)
    }

    @Test("are created by a GET with method=post, and deleted with the response true in version 1.0")
    func oldClients() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let query: FormFields = ["access_token": FacebookTests.appToken, "method": "post", "installed": "true"]
        let user = try await visitor.get("facebook/v1.0/\(FacebookTests.app)/accounts/test-users", query).json
        let id = try #require(user["id"]?.stringValue)
        let deleted = try await visitor.get("facebook/v1.0/\(id)", ["access_token": FacebookTests.appToken, "method": "delete"])
        #expect(deleted.body == "true")
    }

    @Test("can be created only by the app, and other users cannot be changed")
    func refusals() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let user = try await create(visitor)
        let token = try #require(user["access_token"]?.stringValue)
        #expect(try await visitor.post(Self.edge, ["access_token": token]).json["error"]?["code"] == 15)
        #expect(try await visitor.post("facebook/999/accounts/test-users", ["access_token": FacebookTests.appToken]).status == 400)
        #expect(try await visitor.post(Self.edge, ["access_token": FacebookTests.appToken, "name": "R2D2"]).json["error"]?["code"] == 100)
        let seeded = try await visitor.post("facebook/100001234567890", ["access_token": FacebookTests.appToken, "name": "X"])
        #expect(seeded.status == 404)
        let nothing = try await visitor.post("facebook/\(user["id"]?.stringValue ?? "")", ["access_token": FacebookTests.appToken])
        #expect(nothing.json["error"]?["code"] == 100)
    }

    @Test("are at most 2,000 for an app")
    func most() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.cloud.edit { directory in
            for number in 1..<2000 {
                var person = Person(name: "tester-\(number)", subject: "2000\(number)", password: "p", claims: [:])
                person.facebook = FacebookAccount()
                person.facebook?.testUserOf = FacebookTests.app
                directory.put(person, at: "facebook")
            }
        }
        #expect(try await create(visitor)["id"] != nil)
        let refused = try await create(visitor)
        #expect(refused["error"]?["code"] == 100)
        #expect(refused["error"]?["message"] == "(#100) The app has 2000 test users already")
    }
}
