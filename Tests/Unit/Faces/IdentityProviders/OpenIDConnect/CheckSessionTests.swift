import Calls
import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Session management (OpenID Connect Session Management 1.0)")
struct CheckSessionTests {
    private static let origin = "http://localhost:8765"

    private func status(
        _ visitor: Visitor, _ state: String?, client: String = "web-app", origin: String = origin, at path: String = "company/check-session"
    ) async throws -> Int {
        var query: FormFields = ["client_id": client, "origin": origin]
        if let state { query.set("session_state", state) }
        return try await visitor.get("\(path)/init", query).status
    }

    @Test("a response with openid has the session state, and the frame detects changes (sections 2 and 3.2)")
    func session() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        #expect(try await status(visitor, nil) == 204, "nobody is logged in")
        let answer = try await visitor.authorize("company/authorize", Requests.company)
        let state = try #require(answer.redirected["session_state"])
        #expect(try await status(visitor, state) == 204)
        for other in [nil, "", "another"] as [String?] { #expect(try await status(visitor, other) == 200) }
        #expect(try await status(Visitor(visitor.cloud), state) == 200, "another browser")
        // A new login of the same user is no change, one of another user is.
        let again = try await visitor.get("company/authorize", Requests.company.with(["prompt": "login"]))
        _ = try await visitor.press("person", "alice", on: again)
        #expect(try await status(visitor, state) == 204)
        let other = try await visitor.get("company/authorize", Requests.company.with(["prompt": "login"]))
        _ = try await visitor.press("person", "bob", on: other)
        #expect(try await status(visitor, state) == 200)
    }

    @Test("a logout changes the state")
    func logout() async throws {
        let visitor = Visitor(try await Company.sandbox { $0.responseTypes = ["id_token"] })
        let request = Requests.company.with(["response_type": "id_token", "nonce": "n"])
        let fields = try await visitor.authorize("company/authorize", request).redirected
        let token = try #require(fields["id_token"])
        #expect(fields["session_state"] == (try JSONWebToken(parsing: token).claims["sid"]?.stringValue))
        _ = try await visitor.get("company/logout", ["id_token_hint": token])
        #expect(try await status(visitor, fields["session_state"]) == 200)
    }

    @Test("there is no state without openid or for an application that is not a web page")
    func stateless() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await Company.change(visitor.cloud) { $0.clients[0].redirectURIs.append("com.example.app:/cb") }
        for further in [["scope": "profile"], ["redirect_uri": "com.example.app:/cb"]] as [FormFields] {
            let fields = try await visitor.authorize("company/authorize", Requests.company.with(further)).redirected
            #expect(fields["code"] != nil)
            #expect(fields["session_state"] == nil)
        }
    }

    @Test("other sites than the application's are refused")
    func strangers() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        #expect(try await status(visitor, "x", client: "nobody") == 403)
        for origin in ["https://evil.example", "http://localhost", "http://localhost:8765/", "null", ""] {
            #expect(try await status(visitor, "x", origin: origin) == 403, "\(origin)")
        }
        #expect(try await visitor.get("company/check-session/init").status == 403)
        #expect(try await visitor.post("company/check-session", [:]).status == 405)
    }

    @Test("the page may be in a frame, and runs only its own script", arguments: [true, false])
    func page(isRealm: Bool) async throws {
        let visitor = Visitor(try await Visitor.sandbox(), base: isRealm ? "/realms/" : "/idp/")
        let path = isRealm ? "company/protocol/openid-connect/login-status-iframe.html" : "company/check-session"
        let document = try await visitor.get("company/.well-known/openid-configuration").json
        #expect(document["check_session_iframe"]?.stringValue?.hasSuffix("/\(path)") == true)
        let page = try await visitor.get(path)
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(page.status == 200)
        #expect(page.headers[.frameOptions] == nil)
        #expect(!policy.contains("frame-ancestors"))
        #expect(policy.contains("script-src 'sha256-"))
        #expect(page.body.contains("addEventListener"))
        #expect(try await status(visitor, nil, at: path) == 204)
        guard isRealm else { return }
        let probe = try await visitor.get("company/protocol/openid-connect/3p-cookies/step1.html")
        #expect(probe.status == 200)
        #expect(probe.body.contains("parent.postMessage"))
    }
}
