import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("RP-initiated logout")
struct LogoutTests {
    private static let destination = "https://app.example/bye?x=1"

    private func visitor(_ web: Web = Web()) async throws -> Visitor {
        let cloud = try await Company.sandbox { metadata in
            metadata.responseTypes = ["code", "id_token"]
            metadata.postLogoutRedirectURIs = [Self.destination]
            metadata.backchannelLogoutURI = "https://app.example/logout"
        }
        try await Company.change(cloud) { provider in
            var second = provider.clients[0]
            second.id = "second"
            second.metadata.backchannelLogoutURI = "https://second.example/logout"
            provider.clients.append(second)
        }
        return Visitor(cloud, applications: web.applications)
    }

    private func isLoggedIn(_ visitor: Visitor) async throws -> Bool {
        let answer = try await visitor.get("company/authorize", Requests.company.with(["prompt": "none"]))
        return answer.redirected["error"] != "login_required"
    }

    @Test("an ID token of the logged-in user ends the session at once, by GET and by POST (section 2)", arguments: [true, false])
    func hint(isPosted: Bool) async throws {
        let visitor = try await visitor()
        let query: FormFields = [
            "id_token_hint": try await Company.login(visitor), "post_logout_redirect_uri": Self.destination, "state": "s t",
        ]
        let answer = isPosted ? try await visitor.post("company/logout", query) : try await visitor.get("company/logout", query)
        #expect(answer.status == 302)
        #expect(answer.location == Self.destination + "&state=s%20t")
        #expect(try await isLoggedIn(visitor) == false)
        let again = try await visitor.get("company/logout", query)
        #expect(again.location == answer.location, "who is logged out already arrives as well")
    }

    @Test("a redirect has no state if the request has none, and a request without a redirect URI shows a page")
    func bare() async throws {
        let visitor = try await visitor()
        let hint = try await Company.login(visitor)
        let answer = try await visitor.get("company/logout", ["id_token_hint": hint, "post_logout_redirect_uri": Self.destination])
        #expect(answer.location == Self.destination)
        let page = try await visitor.get("company/logout", ["id_token_hint": try await Company.login(visitor), "state": "s"])
        #expect(page.status == 200)
        #expect(page.body.contains("Logged out"))
        #expect(page.location.isEmpty)
    }

    @Test("a request without parameters needs no form")
    func empty() async throws {
        let answer = try await visitor().send(.post, "company/logout", body: nil)
        #expect(answer.status == 200)
        #expect(answer.body.contains("Logged out"))
    }

    @Test("an ID token that has expired is accepted as a hint")
    func expired() async throws {
        let visitor = try await visitor()
        let hint = try await Company.login(visitor)
        try await visitor.cloud.age(by: .seconds(3700))
        #expect(try await visitor.get("company/logout", ["id_token_hint": hint]).body.contains("Logged out"))
        #expect(try await isLoggedIn(visitor) == false)
    }

    @Test("without a hint the user is asked, and may stay", arguments: [[:], ["state": "s"], ["client_id": "web-app"]] as [FormFields])
    func confirmation(parameters: FormFields) async throws {
        let visitor = try await visitor()
        _ = try await Company.login(visitor)
        let page = try await visitor.get("company/logout", parameters)
        #expect(page.status == 200)
        #expect(page.body.contains("value=\"logout\""))
        #expect(page.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
        #expect(try await visitor.press("action", "stay", on: page).body.contains("Still signed in"))
        #expect(try await isLoggedIn(visitor))
        let second = try await visitor.get("company/logout", parameters)
        #expect(try await visitor.press("action", "logout", on: second).body.contains("Logged out"))
        #expect(try await isLoggedIn(visitor) == false)
    }

    @Test("a hint at another user is no confirmation")
    func otherPerson() async throws {
        let visitor = try await visitor()
        _ = try await Company.login(visitor)
        let hint = try await Company.login(Visitor(visitor.cloud), as: "bob")
        let page = try await visitor.get("company/logout", ["id_token_hint": hint, "post_logout_redirect_uri": Self.destination])
        #expect(page.body.contains("value=\"logout\""))
        #expect(page.location.isEmpty)
        #expect(try await isLoggedIn(visitor))
        #expect(try await visitor.press("action", "logout", on: page).location == Self.destination)
    }

    @Test("the form of the confirmation works once, and only in the browser that received it")
    func forgery() async throws {
        let visitor = try await visitor()
        _ = try await Company.login(visitor)
        let page = try await visitor.get("company/logout")
        let stranger = Visitor(visitor.cloud)
        #expect(try await stranger.press("action", "logout", on: page).status == 400)
        #expect(try await visitor.press("action", "stay", on: page).status == 200)
        #expect(try await visitor.press("action", "logout", on: page).status == 400)
        #expect(try await isLoggedIn(visitor))
        let login = try await Visitor(visitor.cloud).get("company/authorize", Requests.company)
        #expect(try await visitor.post("company/sign-out", ["form": login.formValue, "action": "logout"]).status == 400)
    }

    @Test("an invalid request does not redirect, and does not end the session (section 4)")
    func refused() async throws {
        let visitor = try await visitor()
        let hint = try await Company.login(visitor)
        let parts = hint.split(separator: ".")
        let forged = "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: parts[2].count))"
        for wrong: FormFields in [
            ["post_logout_redirect_uri": "https://app.example/bye"], ["post_logout_redirect_uri": Self.destination + "&y=2"],
            ["post_logout_redirect_uri": Visitor.redirectURI], ["id_token_hint": forged], ["id_token_hint": "x"],
            ["client_id": "nobody"], ["client_id": "second"], ["id_token_hint": ""],
        ] {
            let query = FormFields(dictionaryLiteral: ("id_token_hint", hint), ("post_logout_redirect_uri", Self.destination)).with(wrong)
            let answer = try await visitor.get("company/logout", query)
            #expect(answer.status == 400, "\(wrong)")
            #expect(answer.location.isEmpty, "\(wrong)")
            #expect(answer.body.contains("role=\"alert\""), "\(wrong)")
        }
        #expect(try await isLoggedIn(visitor))
        #expect(try await visitor.send(.delete, "company/logout").status == 405)
    }

    @Test("every application of the session receives one logout token of its own (Back-Channel Logout 1.0 section 2.4)")
    func backChannel() async throws {
        let web = Web()
        let visitor = try await visitor(web)
        let hint = try await Company.login(visitor)
        _ = try await Company.login(visitor)
        _ = try await Company.login(visitor, ["client_id": "second"])
        // The session of another user remains.
        let other = Visitor(visitor.cloud, applications: web.applications)
        _ = try await Company.login(other, as: "bob")
        let session = try JSONWebToken(parsing: hint).claims["sid"]
        #expect(session?.stringValue?.isEmpty == false)
        _ = try await visitor.get("company/logout", ["id_token_hint": hint])
        #expect(Set(web.posts.map(\.url)) == ["https://app.example/logout", "https://second.example/logout"])
        #expect(web.posts.count == 2)
        for post in web.posts {
            let text = try #require(post.form["logout_token"])
            #expect(try JSONWebToken(parsing: text).header["typ"] == "logout+jwt")
            let claims = try await Company.claims(text, at: visitor)
            #expect(claims["iss"]?.stringValue == "\(Visitor.origin)/idp/company")
            #expect(claims["sub"] == "employee-0001-alice")
            #expect(claims["aud"] == (post.url.contains("second") ? "second" : "web-app"))
            #expect(claims["sid"] == session)
            #expect(claims["events"] == ["http://schemas.openid.net/event/backchannel-logout": [:]])
            #expect(claims["nonce"] == nil)
            let (issued, expiry) = (claims["iat"]?.integerValue, claims["exp"]?.integerValue)
            #expect(try #require(expiry) - #require(issued) == 120)
            #expect(claims["jti"]?.stringValue?.isEmpty == false)
        }
        #expect(try await isLoggedIn(other))
    }

    @Test("a second login of the same user continues the session; another user starts a new one")
    func secondLogin() async throws {
        let web = Web()
        let visitor = try await visitor(web)
        func session(of token: String) throws -> JSONValue? { try JSONWebToken(parsing: token).claims["sid"] }
        func again(as person: String, _ prompt: FormFields) async throws -> String {
            let request = Requests.company.with(["response_type": "id_token", "nonce": "n", "client_id": "second"]).with(prompt)
            let page = try await visitor.get("company/authorize", request)
            #expect(page.isLogin)
            var step = try await visitor.press("person", person, on: page)
            if step.isConsent { step = try await visitor.press("action", "allow", on: step) }
            return try #require(step.redirected["id_token"])
        }
        let first = try await Company.login(visitor)
        let second = try await again(as: "alice", ["prompt": "login"])
        #expect(try session(of: first) == session(of: second))
        let third = try await again(as: "alice", ["max_age": "0"])
        #expect(try session(of: first) == session(of: third))
        let other = Visitor(visitor.cloud, applications: web.applications)
        let elsewhere = try await Company.login(other)
        #expect(try session(of: elsewhere) != session(of: first))
        _ = try await visitor.get("company/logout", ["id_token_hint": first])
        #expect(web.posts.count == 2)
        let bob = try await again(as: "bob", [:])
        #expect(try session(of: bob) != session(of: first))
    }

    @Test("applications that log in concurrently all receive a logout token")
    func manyAtOnce() async throws {
        let web = Web()
        let visitor = try await visitor(web)
        let names = (0..<16).map { "app-\($0)" }
        try await Company.change(visitor.cloud) { provider in
            for name in names {
                var client = provider.clients[0]
                client.id = name
                client.metadata.backchannelLogoutURI = "https://\(name).example/logout"
                provider.clients.append(client)
            }
        }
        for name in names { _ = try await Company.login(visitor, ["client_id": name]) }
        // The applications have the user's consent, and a new session.
        let again = Visitor(visitor.cloud, applications: web.applications)
        let hint = try await Company.login(again)
        let (cloud, cookies) = (visitor.cloud, again.cookies)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names {
                group.addTask { _ = try await Company.login(Visitor(cloud, cookies: cookies), ["client_id": name]) }
            }
            try await group.waitForAll()
        }
        _ = try await again.get("company/logout", ["id_token_hint": hint])
        #expect(Set(web.posts.map(\.url)) == Set(names.map { "https://\($0).example/logout" } + ["https://app.example/logout"]))
    }

    @Test("a confirmation logs out the user it was shown to, not one who logged in since")
    func confirmationOfAnother() async throws {
        let visitor = try await visitor()
        _ = try await Company.login(visitor)
        let page = try await visitor.get("company/logout")
        let login = try await visitor.get("company/authorize", Requests.company.with(["prompt": "login"]))
        _ = try await visitor.press("person", "bob", on: login)
        let again = try await visitor.press("action", "logout", on: page)
        #expect(again.body.contains("value=\"logout\""))
        #expect(again.body.contains("(bob)"))
        #expect(try await isLoggedIn(visitor))
        #expect(try await visitor.press("action", "logout", on: again).body.contains("Logged out"))
        #expect(try await isLoggedIn(visitor) == false)
    }

    @Test("a logout token is refused as a hint")
    func logoutTokenAsHint() async throws {
        let web = Web()
        let visitor = try await visitor(web)
        _ = try await visitor.get("company/logout", ["id_token_hint": try await Company.login(visitor)])
        let token = try #require(web.posts.first?.form["logout_token"])
        #expect(try await visitor.get("company/logout", ["id_token_hint": token]).status == 400)
    }

    @Test("an application can be notified in a frame, after which the browser continues (Front-Channel Logout 1.0 section 2)")
    func frontChannel() async throws {
        let visitor = try await visitor()
        try await Company.change(visitor.cloud) { provider in
            provider.clients[0].metadata.frontchannelLogoutURI = "https://app.example/out?a=\"1"
            provider.clients[0].metadata.frontchannelLogoutSessionRequired = true
        }
        let hint = try await Company.login(visitor)
        let session = try #require(try JSONWebToken(parsing: hint).claims["sid"]?.stringValue)
        let query: FormFields = ["id_token_hint": hint, "post_logout_redirect_uri": Self.destination, "state": "s"]
        let page = try await visitor.get("company/logout", query)
        let issuer = percentEncoded("\(Visitor.origin)/idp/company")
        #expect(page.body.contains("<iframe src=\"https://app.example/out?a=&quot;1&amp;iss=\(issuer)&amp;sid=\(session)\""))
        #expect(page.body.contains("href=\"https://app.example/bye?x=1&amp;state=s\""))
        #expect(page.location.isEmpty)
        #expect(page.headers[.contentSecurityPolicy]?.contains("; frame-src https://app.example; script-src 'sha256-") == true)
        #expect(try await isLoggedIn(visitor) == false)
    }

    @Test("an unreachable application does not prevent the logout, and the journal shows it")
    func unreachable() async throws {
        let visitor = try await visitor(Web(isDown: true))
        let answer = try await visitor.get("company/logout", ["id_token_hint": try await Company.login(visitor)])
        #expect(answer.body.contains("Logged out"))
        #expect(answer.entry.errorCode == "backchannel_logout_failed")
        #expect(try await isLoggedIn(visitor) == false)
    }

    @Test("the tokens of the session end with it, except offline access (Back-Channel Logout 1.0 section 2.7)")
    func tokens() async throws {
        let visitor = try await visitor()
        func tokens(_ scope: String) async throws -> JSONValue {
            let answer = try await visitor.authorize("company/authorize", Requests.company.with(["scope": scope]))
            return try await visitor.post(
                "company/token",
                OpenIDConnectTests.client.with([
                    "grant_type": "authorization_code", "code": try #require(answer.redirected["code"]),
                    "redirect_uri": Visitor.redirectURI,
                ])
            ).json
        }
        func status(_ tokens: JSONValue) async throws -> Int {
            let token = try #require(tokens["access_token"]?.stringValue)
            return try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(token)"]).status
        }
        let (online, offline) = (try await tokens("openid"), try await tokens("openid offline_access"))
        #expect(try await status(online) == 200)
        _ = try await visitor.get("company/logout", ["id_token_hint": try #require(online["id_token"]?.stringValue)])
        #expect(try await status(online) == 401)
        #expect(try await status(offline) == 200)
        let refresh: FormFields = ["grant_type": "refresh_token", "refresh_token": try #require(offline["refresh_token"]?.stringValue)]
        #expect(try await visitor.post("company/token", refresh.with(OpenIDConnectTests.client)).status == 200)
        // The user's consent remains.
        let page = try await visitor.get("company/authorize", Requests.company.with(["scope": "openid"]))
        #expect(try await visitor.press("person", "alice", on: page).redirected["code"] != nil)
    }

    @Test("a Keycloak realm asks the user as well")
    func realm() async throws {
        let visitor = Visitor(try await visitor().cloud, base: "/realms/")
        let connect = "company/protocol/openid-connect"
        let login = try await visitor.get("\(connect)/auth", Requests.company)
        let action = login.body.components(after: "action=\"", upTo: "\"").dropFirst("/realms/".count)
        _ = try await visitor.post(String(action), ["form": login.formValue, "person": "alice"])
        let page = try await visitor.get("\(connect)/logout")
        #expect(page.body.contains("action=\"/realms/company/sign-out\""))
        #expect(page.body.contains("value=\"logout\""))
        let done = try await visitor.post("company/sign-out", ["form": page.formValue, "action": "logout"])
        #expect(done.body.contains("Logged out"))
    }
}

extension String {
    func components(after start: String, upTo end: Character) -> Substring {
        guard let range = firstRange(of: start) else { return "" }
        return self[range.upperBound...].prefix { $0 != end }
    }
}
