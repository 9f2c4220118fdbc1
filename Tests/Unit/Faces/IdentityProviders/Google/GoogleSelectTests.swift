import Calls
import Cloud
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Google Identity Services")
struct GoogleSelectTests {
    private static let request: FormFields = [
        "client_id": GoogleTests.clientID, "login_uri": Visitor.redirectURI, "g_csrf_token": "token-1", "nonce": "n-1", "state": "s",
    ]

    @Test("the button posts an ID token with the token of the application's cookie")
    func button() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let first = try await visitor.authorize("google/gsi/select", Self.request)
        #expect(first.status == 200)
        #expect(first.wholeFormAction == Visitor.redirectURI)
        #expect(first.hiddenField("g_csrf_token") == "token-1")
        #expect(first.hiddenField("select_by") == "btn_confirm")
        #expect(first.hiddenField("state") == "s")
        let token = try JSONWebToken(parsing: first.hiddenField("credential"))
        let keys = try await visitor.get("google/oauth2/v3/certs")
        try token.verify(with: try #require(JSONWebKeySet(parsing: Array(keys.body.utf8))?.keys.first { $0.keyID == token.keyID }).key)
        #expect(token.claims["iss"] == "https://accounts.google.com")
        #expect(token.claims["aud"]?.stringValue == GoogleTests.clientID)
        #expect(token.claims["nonce"] == "n-1")
        #expect(token.claims["email"] == "alice@example.com")
        #expect(token.claims["jti"] != nil)
        let second = try await visitor.get("google/gsi/select", Self.request)
        #expect(second.hiddenField("select_by") == "btn", "the user has agreed before")
    }

    @Test(
        "a request must have a registered login_uri and the token, and the mode redirect",
        arguments: [("login_uri", "https://other.example/"), ("g_csrf_token", ""), ("ux_mode", "popup"), ("client_id", "other")])
    func refusals(name: String, value: String) async throws {
        let answer = try await Visitor(try await Visitor.sandbox()).get("google/gsi/select", Self.request.with([name: value]))
        #expect(answer.status >= 400)
        #expect(answer.location.isEmpty)
    }

    @Test("the script of the button is served to pages of every origin")
    func script() async throws {
        let answer = try await Visitor(try await Visitor.sandbox()).get("google/gsi/client")
        #expect(answer.headers[.contentType]?.hasPrefix("text/javascript") == true)
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        #expect(answer.body.contains("renderButton"))
    }
}

@Suite("Federated credentials of Google")
struct GoogleFedCMTests {
    private static let browser: HTTPFields = [.secFetchDest: "webidentity"]
    private static let page: HTTPFields = [.secFetchDest: "webidentity", .origin: "http://localhost:8765"]

    private func visitor() async throws -> Visitor {
        let visitor = Visitor(try await Visitor.sandbox())
        _ = try await visitor.authorize("google/o/oauth2/v2/auth", Requests.google)
        return visitor
    }

    private func token(_ visitor: Visitor, _ further: FormFields = [:], headers: HTTPFields = Self.page) async throws -> Answer {
        let form: FormFields = ["client_id": GoogleTests.clientID, "account_id": "110169484474386276334", "nonce": "n"]
        return try await visitor.post("google/gsi/fedcm/issuetoken", form.with(further), headers: headers)
    }

    @Test("the documents lead to the endpoints")
    func documents() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let file = try await visitor.get("google/.well-known/web-identity").json
        #expect(file["provider_urls"]?.arrayValue == [.string("\(Visitor.origin)/idp/google/gsi/fedcm.json")])
        let configuration = try await visitor.get("google/gsi/fedcm.json").json
        #expect(configuration["accounts_endpoint"]?.stringValue == "\(Visitor.origin)/idp/google/gsi/fedcm/listaccounts")
        #expect(configuration["id_assertion_endpoint"]?.stringValue == "\(Visitor.origin)/idp/google/gsi/fedcm/issuetoken")
    }

    @Test("a browser reads the account of its session")
    func accounts() async throws {
        let visitor = try await visitor()
        let accounts = try await visitor.get("google/gsi/fedcm/listaccounts", headers: Self.browser)
        let account = try #require(accounts.json["accounts"]?.arrayValue?.first)
        #expect(account["id"] == "110169484474386276334")
        #expect(account["email"] == "alice@example.com")
        #expect(account["approved_clients"]?.arrayValue == [.string(GoogleTests.clientID)])
        let stranger = Visitor(visitor.cloud)
        #expect(try await stranger.get("google/gsi/fedcm/listaccounts", headers: Self.browser).status == 401)
    }

    @Test("a page cannot send the browser's requests")
    func pages() async throws {
        let visitor = try await visitor()
        #expect(try await visitor.get("google/gsi/fedcm/listaccounts").status == 400)
        #expect(try await visitor.get("google/gsi/fedcm/clientmetadata", ["client_id": GoogleTests.clientID]).status == 400)
        #expect(try await token(visitor, headers: [.origin: "http://localhost:8765"]).status == 400)
    }

    @Test("a token is issued to the page of a client, for the account of the session")
    func assertion() async throws {
        let visitor = try await visitor()
        let answer = try await token(visitor)
        #expect(answer.status == 200)
        #expect(answer.headers[.accessControlAllowOrigin] == "http://localhost:8765")
        #expect(answer.headers[.accessControlAllowCredentials] == "true")
        let claims = try JSONWebToken(parsing: try #require(answer.json["token"]?.stringValue)).claims
        #expect(claims["aud"]?.stringValue == GoogleTests.clientID)
        #expect(claims["nonce"] == "n")
        let foreign = try await token(visitor, headers: [.secFetchDest: "webidentity", .origin: "https://other.example"])
        #expect(foreign.status == 403)
        #expect(try await token(visitor, ["account_id": "1"]).status == 401)
    }

    @Test("the user agrees by the text that the browser shows")
    func disclosure() async throws {
        let visitor = try await visitor()
        try await visitor.cloud.grants.revokeAll(provider: "google", client: GoogleTests.clientID, person: "alice")
        #expect(try await token(visitor).status == 403)
        #expect(try await token(visitor, ["disclosure_text_shown": "true"]).status == 200)
    }
}
