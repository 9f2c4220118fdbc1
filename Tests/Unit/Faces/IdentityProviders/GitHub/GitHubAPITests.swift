import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@Suite("GitHub's REST API")
struct GitHubAPITests {
    @Test("describes the user of a token, and its scopes")
    func user() async throws {
        let app = try await GitHubApp()
        let answer = try await app.get("user", app.token())
        #expect(answer.status == 200)
        #expect(answer.json["login"] == "alice")
        #expect(answer.json["id"] == 9_110_001)
        #expect(answer.json["node_id"]?.stringValue == Array("04:User9110001".utf8).base64)
        #expect(answer.json["name"] == "Alice Archer")
        #expect(answer.json["email"] == JSONValue.null, "the address is private")
        #expect(answer.json["type"] == "User")
        #expect(answer.json["url"]?.stringValue == "\(Visitor.origin)/idp/github/users/alice")
        #expect(answer.json["plan"] == nil)
        #expect(answer.headers[.init("X-OAuth-Scopes")!] == "read:user, user:email")
        #expect(answer.headers[.init("X-Accepted-OAuth-Scopes")!] == "")
        #expect(answer.headers[.init("X-OAuth-Client-Id")!] == GitHubApp.id)
        #expect(answer.headers[.init("X-GitHub-Media-Type")!] == "github.v3; format=json")
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        #expect(answer.entry.operation == "User")
        #expect(answer.entry.caller == "alice")
    }

    @Test("shows a public address, and private facts for the scope user")
    func profile() async throws {
        let app = try await GitHubApp()
        try await app.visitor.change("github") { provider in
            for (name, value) in ["login": "bob-b", "company": "Example", "location": "Bern"] as KeyValuePairs<String, JSONValue> {
                provider.people[1].claims[name] = value
            }
        }
        let user = try await app.get("user", app.token(scope: "user", as: "bob")).json
        #expect(user["login"] == "bob-b")
        #expect(user["email"] == "bob@example.com")
        #expect(user["company"] == "Example")
        #expect(user["location"] == "Bern")
        #expect(user["blog"] == "")
        #expect(user["bio"] == JSONValue.null)
        #expect(user["plan"]?["name"] == "free")
        #expect(user["two_factor_authentication"] == false)
    }

    @Test("numbers a user whose subject is no number, in the same way everywhere")
    func derivedNumber() async throws {
        let app = try await GitHubApp()
        try await app.visitor.change("github") { $0.people[0].subject = "octocat" }
        let number = try #require(try await app.get("user", app.token()).json["id"]?.integerValue)
        #expect((100_000_000...2_100_000_000).contains(number))
        let provider = try #require(app.visitor.cloud.directory.providers["github"])
        #expect(provider.identifier(of: provider.people[0], for: provider.clients[0]) == String(number))
    }

    @Test("lists the addresses, which need the scope user:email or user", arguments: ["user:email", "user"])
    func emails(scope: String) async throws {
        let app = try await GitHubApp()
        let alice = try await app.get("user/emails", app.token(scope: scope))
        #expect(
            alice.json == [["email": "alice@example.com", "primary": true, "verified": true, "visibility": "private"]])
        #expect(alice.headers[.init("X-Accepted-OAuth-Scopes")!] == "user, user:email")
        let bob = Visitor(app.visitor.cloud)
        let code = try #require(
            try await bob.authorize("github/login/oauth/authorize", Requests.github, as: "bob").redirected["code"])
        let list = try await app.get("user/emails", app.redeem(code).accessToken).json.arrayValue ?? []
        #expect(list.map { $0["email"]?.stringValue } == ["bob@example.com", "bob@old.example"])
        #expect(list.map { $0["verified"]?.boolValue } == [true, false])
        #expect(list.map { $0["visibility"] } == ["public", .null])
    }

    @Test("finds nothing for a token without the scope, and says which scopes it needs")
    func missingScope() async throws {
        let app = try await GitHubApp()
        let answer = try await app.get("user/emails", app.token(scope: "read:user"))
        #expect(answer.status == 404)
        #expect(
            answer.json == [
                "message": "Not Found",
                "documentation_url": "https://docs.github.com/rest/users/emails#list-email-addresses-for-the-authenticated-user",
                "status": "404",
            ])
        #expect(answer.headers[.init("X-OAuth-Scopes")!] == "read:user")
        #expect(answer.headers[.init("X-Accepted-OAuth-Scopes")!] == "user, user:email")
    }

    @Test("refuses requests without a valid token in the header")
    func refusals() async throws {
        let app = try await GitHubApp()
        let bad = try await app.get("user", "gho_x")
        #expect(bad.status == 401)
        #expect(
            bad.json == ["message": "Bad credentials", "documentation_url": "https://docs.github.com/rest", "status": "401"])
        let none = try await app.visitor.get("github/user")
        #expect(none.status == 401)
        #expect(none.json["message"] == "Requires authentication")
        let token = try await app.token()
        let query = try await app.visitor.get("github/user", ["access_token": token])
        #expect(query.status == 400)
        #expect(query.json["message"]?.stringValue?.hasPrefix("Must specify access token via Authorization header.") == true)
        let unknown = try await app.get("user/followers", token)
        #expect(unknown.status == 404)
        try await app.visitor.cloud.grants.revoke(token)
        #expect(try await app.get("user", token).status == 401)
    }

    @Test(
        "takes the token by any of the schemes",
        arguments: ["bearer %", "Token %", "Basic %:", "Basic %:x-oauth-basic", "Basic alice:%"])
    func schemes(form: String) async throws {
        let app = try await GitHubApp()
        let text = form.replacing("%", with: try await app.token())
        let header = text.hasPrefix("Basic ") ? "Basic " + Array(text.dropFirst("Basic ".count).utf8).base64 : text
        #expect(try await app.visitor.get("github/user", headers: [.authorization: header]).json["login"] == "alice")
    }

    @Test("divides lists into pages")
    func pages() async throws {
        let app = try await GitHubApp()
        let token = try await app.token(as: "bob")
        let first = try await app.get("user/emails?per_page=1", token)
        #expect(first.json.arrayValue?.map { $0["email"]?.stringValue } == ["bob@example.com"])
        let url = "\(Visitor.origin)/idp/github/user/emails?per_page=1&page="
        #expect(first.headers[.init("Link")!] == "<\(url)2>; rel=\"next\", <\(url)2>; rel=\"last\"")
        let second = try await app.get("user/emails?per_page=1&page=2", token)
        #expect(second.json.arrayValue?.map { $0["email"]?.stringValue } == ["bob@old.example"])
        #expect(second.headers[.init("Link")!] == "<\(url)1>; rel=\"prev\", <\(url)1>; rel=\"first\"")
        #expect(try await app.get("user/emails?per_page=1&page=9", token).json == [])
        #expect(try await app.get("user/emails?per_page=500", token).headers[.init("Link")!] == nil)
    }

    @Test("may be called by pages of other origins, but not the token endpoint")
    func otherOrigins() async throws {
        let app = try await GitHubApp()
        let asked = try await app.visitor.send(.options, "github/user")
        #expect(asked.status == 204)
        #expect(asked.headers[.accessControlAllowOrigin] == "*")
        let refused = try await app.visitor.send(.options, GitHubApp.tokenPath)
        #expect(refused.status == 404)
        #expect(refused.headers[.accessControlAllowOrigin] == nil)
        #expect(try await app.redeem("x").headers[.accessControlAllowOrigin] == nil)
        #expect(try await app.visitor.get(GitHubApp.tokenPath).status == 404)
    }

    @Test("accepts a token that was issued without a login")
    func minted() async throws {
        let app = try await GitHubApp()
        let mint = TokenMint(cloud: app.visitor.cloud)
        let order = TokenOrder(provider: "github", user: "carol")
        let minted = try await mint.token(order, issuerOrigin: Visitor.origin)
        #expect(minted.kind == .accessToken)
        #expect(minted.subject == "9110003")
        #expect(minted.token.hasPrefix("gho_"))
        #expect(try await app.get("user/emails", minted.token).status == 200)
        var refresh = order
        refresh.kind = .refreshToken
        await #expect(throws: MintingError.kindNotPossible(.refreshToken)) {
            try await mint.token(refresh, issuerOrigin: Visitor.origin)
        }
    }
}
