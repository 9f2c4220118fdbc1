import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@Suite("The tokens of an OAuth app of GitHub")
struct GitHubApplicationsTests {
    private static let path = "github/applications/\(GitHubApp.id)"

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ token: String, of app: GitHubApp, secret: String = "github-client-secret"
    ) async throws -> Answer {
        let header = "Basic " + Array("\(GitHubApp.id):\(secret)".utf8).base64
        let body: JSONValue = ["access_token": .string(token)]
        return try await app.visitor.send(
            method, path, body: body.serialized(), headers: [.authorization: header, .contentType: "application/json"])
    }

    @Test("are checked")
    func check() async throws {
        let app = try await GitHubApp()
        let token = try await app.token()
        let answer = try await send(.post, "\(Self.path)/token", token, of: app)
        #expect(answer.status == 200)
        #expect(answer.json["token"]?.stringValue == token)
        #expect(answer.json["token_last_eight"]?.stringValue == String(token.suffix(8)))
        #expect(answer.json["scopes"] == ["read:user", "user:email"])
        #expect(answer.json["app"]?["client_id"]?.stringValue == GitHubApp.id)
        #expect(answer.json["app"]?["name"] == "Personal Files")
        #expect(answer.json["user"]?["login"] == "alice")
        #expect(answer.json["user"]?["id"] == 9_110_001)
        #expect(answer.json["expires_at"] == JSONValue.null)
        #expect(answer.entry.operation == "CheckToken")
    }

    @Test("are reset, which replaces a token")
    func reset() async throws {
        let app = try await GitHubApp()
        let token = try await app.token()
        let answer = try await send(.patch, "\(Self.path)/token", token, of: app)
        #expect(answer.status == 200)
        let fresh = try #require(answer.json["token"]?.stringValue)
        #expect(fresh != token)
        #expect(answer.json["scopes"] == ["read:user", "user:email"])
        #expect(try await app.get("user", token).status == 401)
        #expect(try await app.get("user", fresh).status == 200)
        #expect(try await send(.patch, "\(Self.path)/token", token, of: app).status == 404)
    }

    @Test("are revoked one by one, or with the user's approval")
    func revoke() async throws {
        let app = try await GitHubApp()
        let tokens = [try await app.token(), try await app.token(), try await app.token()]
        let one = try await send(.delete, "\(Self.path)/token", tokens[0], of: app)
        #expect(one.status == 204)
        #expect(try await app.get("user", tokens[0]).status == 401)
        #expect(try await app.get("user", tokens[1]).status == 200)
        #expect(try await send(.delete, "\(Self.path)/token", tokens[0], of: app).status == 404)
        let all = try await send(.delete, "\(Self.path)/grant", tokens[1], of: app)
        #expect(all.status == 204)
        #expect(try await app.get("user", tokens[2]).status == 401)
        #expect(try await app.visitor.get("github/login/oauth/authorize", Requests.github).isConsent)
    }

    @Test("are those of the app that authenticates")
    func refusals() async throws {
        let app = try await GitHubApp()
        try await app.visitor.change("github") { provider in
            let other = Client(id: "Ov23liOther", secret: "s", name: "Other", redirectURIs: [], applicationID: nil)
            provider.clients.append(contentsOf: [other])
        }
        let token = try await app.token()
        let wrong = try await send(.post, "\(Self.path)/token", token, of: app, secret: "wrong")
        #expect(wrong.status == 401)
        #expect(wrong.json["message"] == "Bad credentials")
        let bare = try await app.visitor.send(.post, "\(Self.path)/token", body: "{}", headers: [.contentType: "application/json"])
        #expect(bare.status == 401)
        #expect(bare.json["message"] == "Requires authentication")
        let foreign = try await send(.post, "github/applications/Ov23liOther/token", token, of: app)
        #expect(foreign.status == 404)
        let unknown = try await send(.post, "\(Self.path)/token", "gho_x", of: app)
        #expect(unknown.status == 404)
        #expect(
            unknown.json["documentation_url"] == "https://docs.github.com/rest/apps/oauth-applications#check-a-token")
        for (path, method) in [("token", .get), ("grant", .post), ("tokens/x", .post), ("other", .post)] as [(String, HTTPRequest.Method)] {
            #expect(try await send(method, "\(Self.path)/\(path)", token, of: app).status == 404)
        }
        let header = "Basic " + Array("\(GitHubApp.id):github-client-secret".utf8).base64
        for (body, status, message) in [
            ("{", 400, "Problems parsing JSON"), ("{}", 422, "Invalid request.\n\n\"access_token\" wasn't supplied."),
        ] {
            let answer = try await app.visitor.send(.delete, "\(Self.path)/token", body: body, headers: [.authorization: header])
            #expect(answer.status == status)
            #expect(answer.json["message"]?.stringValue == message)
        }
    }
}
