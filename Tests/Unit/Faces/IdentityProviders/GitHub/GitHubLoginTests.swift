import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@Suite("A login with GitHub")
struct GitHubLoginTests {
    @Test("ends with a code, which is exchanged once for a token that does not expire")
    func codeFlow() async throws {
        let app = try await GitHubApp()
        let answer = try await app.authorize()
        #expect(answer.redirected["state"] == "s")
        let code = try #require(answer.redirected["code"])
        #expect(code.utf8.count == 20)
        let tokens = try await app.redeem(code)
        #expect(tokens.json.objectValue?.names == ["access_token", "scope", "token_type"])
        #expect(tokens.json["scope"] == "read:user,user:email")
        #expect(tokens.json["token_type"] == "bearer")
        let token = try #require(tokens.json["access_token"]?.stringValue)
        #expect(token.hasPrefix("gho_"))
        #expect(token.utf8.count == 40)
        try await app.visitor.cloud.age(by: .seconds(5 * 365 * 86_400))
        #expect(try await app.get("user", token).json["login"] == "alice")
        let again = try await app.redeem(code)
        #expect(again.status == 200)
        #expect(
            again.json == [
                "error": "bad_verification_code", "error_description": "The code passed is incorrect or expired.",
                "error_uri": .string(
                    "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/"
                        + "#bad-verification-code"),
            ])
        #expect(again.entry.errorCode == "bad_verification_code")
    }

    @Test("returns a form unless the client accepts JSON or XML")
    func formats() async throws {
        let app = try await GitHubApp()
        func redeem(_ accept: String?) async throws -> Answer {
            let code = try #require(try await app.authorize().redirected["code"])
            let headers: HTTPFields = accept.map { [.accept: $0] as HTTPFields } ?? [:]
            return try await app.visitor.post(GitHubApp.tokenPath, GitHubApp.client.with(["code": code]), headers: headers)
        }
        for accept in [nil, "*/*", "text/html, application/x-www-form-urlencoded;q=0.5, application/json"] {
            let form = try await redeem(accept)
            #expect(form.headers[.contentType] == "application/x-www-form-urlencoded; charset=utf-8")
            #expect(FormFields(parsing: form.body)?["scope"] == "read:user,user:email", "\(form.body)")
            #expect(FormFields(parsing: form.body)?["token_type"] == "bearer")
        }
        let json = try await redeem("text/plain, application/json")
        #expect(json.headers[.contentType] == "application/json; charset=utf-8")
        let xml = try await redeem("application/xml")
        #expect(xml.headers[.contentType] == "application/xml; charset=utf-8")
        #expect(xml.body.contains("<OAuth><access_token>gho_"), "\(xml.body)")
        #expect(xml.body.hasSuffix("<token_type>bearer</token_type></OAuth>"))
        let refused = try await app.visitor.post(GitHubApp.tokenPath, ["client_id": "x"])
        #expect(FormFields(parsing: refused.body)?["error"] == "incorrect_client_credentials")
    }

    @Test("takes the parameters from the query or a JSON body, and the secret from the header")
    func parameters() async throws {
        let app = try await GitHubApp()
        func code() async throws -> String { try #require(try await app.authorize().redirected["code"]) }
        let query = GitHubApp.client.with(["code": try await code()])
        let first = try await app.visitor.send(.post, "\(GitHubApp.tokenPath)?\(query.encoded)", headers: GitHubApp.json)
        #expect(first.accessToken.hasPrefix("gho_"), "\(first.body)")

        let object: JSONValue = [
            "client_id": .string(GitHubApp.id), "client_secret": "github-client-secret", "code": .string(try await code()),
        ]
        let headers: HTTPFields = [.accept: "application/json", .contentType: "application/json; charset=utf-8"]
        let second = try await app.visitor.send(.post, GitHubApp.tokenPath, body: object.serialized(), headers: headers)
        #expect(second.accessToken.hasPrefix("gho_"), "\(second.body)")
        let malformed = try await app.visitor.send(.post, GitHubApp.tokenPath, body: "{", headers: headers)
        #expect(malformed.status == 400)
        #expect(malformed.error == "invalid_request")

        let basic = "Basic " + Array("\(GitHubApp.id):github-client-secret".utf8).base64
        let third = try await app.visitor.post(
            GitHubApp.tokenPath, ["grant_type": "authorization_code", "code": try await code()],
            headers: [.accept: "application/json", .authorization: basic])
        #expect(third.accessToken.hasPrefix("gho_"), "\(third.body)")
    }

    @Test(
        "has errors in GitHub's words, with the status 200",
        arguments: [
            (["client_secret": "wrong"], "incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect."),
            (["client_secret": ""], "incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect."),
            (["client_id": "nobody"], "incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect."),
            (["client_id": ""], "incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect."),
            (["code": "guess"], "bad_verification_code", "The code passed is incorrect or expired."),
            (["code": ""], "bad_verification_code", "The code passed is incorrect or expired."),
            (["code_verifier": "x"], "bad_verification_code", "The code passed is incorrect or expired."),
            (
                ["redirect_uri": "http://localhost:8765/callback/other"], "redirect_uri_mismatch",
                "The redirect_uri MUST match the registered callback URL for this application."
            ),
            (["grant_type": "password"], "unsupported_grant_type", "The grant type password is not supported."),
            (["grant_type": "refresh_token"], "unsupported_grant_type", "The grant type refresh_token is not supported."),
        ] as [(FormFields, String, String)])
    func tokenFaults(fields: FormFields, error: String, description: String) async throws {
        let app = try await GitHubApp()
        let code = try #require(try await app.authorize().redirected["code"])
        let answer = try await app.redeem(code, fields)
        #expect(answer.status == 200)
        #expect(answer.error == error)
        #expect(answer.json["error_description"]?.stringValue == description)
        #expect(answer.json["error_uri"]?.stringValue?.hasPrefix("https://docs.github.com/") == true)
        #expect(try await app.redeem(code, ["redirect_uri": Visitor.redirectURI]).accessToken.hasPrefix("gho_"), "the code is still valid")
    }

    @Test("gives no token while the primary address is not verified")
    func unverified() async throws {
        let app = try await GitHubApp()
        let code = try #require(try await app.authorize().redirected["code"])
        try await app.visitor.change("github") { $0.people[0].claims["email_verified"] = false }
        let refused = try await app.redeem(code)
        #expect(refused.status == 200)
        #expect(refused.error == "unverified_user_email")
        #expect(refused.json["error_description"] == "The user must have a verified primary email.")
        try await app.visitor.change("github") { $0.people[0].claims["email_verified"] = true }
        #expect(try await app.redeem(code).accessToken.hasPrefix("gho_"))
    }

    @Test("binds a code to the client by PKCE, with S256 only")
    func codeChallenge() async throws {
        let app = try await GitHubApp()
        let challenge: FormFields = ["code_challenge": Requests.challenge, "code_challenge_method": "S256"]
        let code = try #require(try await app.authorize(challenge).redirected["code"])
        #expect(try await app.redeem(code).error == "bad_verification_code")
        #expect(try await app.redeem(code, ["code_verifier": String(Requests.verifier.reversed())]).error == "bad_verification_code")
        #expect(try await app.redeem(code, ["code_verifier": Requests.verifier]).accessToken.hasPrefix("gho_"))
        for method in ["plain", ""] {
            let refused = try await app.authorize(challenge.with(["code_challenge_method": method]))
            #expect(refused.redirected["error"] == "invalid_request")
        }
        let alone = try await app.authorize(["code_challenge_method": "S256"])
        #expect(alone.redirected["error"] == "invalid_request")
    }

    @Test("goes back to the callback URL of the app, or below it")
    func redirects() async throws {
        let app = try await GitHubApp()
        let usual = try await app.authorize(["redirect_uri": ""])
        #expect(usual.location.hasPrefix(Visitor.redirectURI + "?code="))
        let code = try #require(usual.redirected["code"])
        #expect(try await app.redeem(code).accessToken.hasPrefix("gho_"))
        for address in ["http://localhost:8765/callback/github", "http://127.0.0.1:1234/callback"] {
            let answer = try await app.authorize(["redirect_uri": address])
            #expect(answer.location.hasPrefix(address + "?code="), "\(answer.location)")
        }
        let other = try await app.authorize(["redirect_uri": "https://evil.example/callback"])
        #expect(other.location.hasPrefix(Visitor.redirectURI + "?error=redirect_uri_mismatch"))
        #expect(
            other.redirected["error_description"] == "The redirect_uri MUST match the registered callback URL for this application.")
        #expect(other.redirected["error_uri"]?.hasSuffix("/#redirect-uri-mismatch") == true)
        #expect(other.redirected["state"] == "s")
    }

    @Test("is refused for an unknown app and for the implicit flow")
    func refusals() async throws {
        let app = try await GitHubApp()
        let unknown = try await app.authorize(["client_id": "nobody"])
        #expect(unknown.status == 404)
        #expect(unknown.location.isEmpty)
        let implicit = try await app.authorize(["response_type": "token"])
        #expect(implicit.redirected["error"] == "unsupported_response_type")
        try await app.visitor.change("github") { $0.clients[0].redirectURIs = [] }
        #expect(try await app.authorize().entry.errorCode == "redirect_uri_missing")
    }

    @Test("reports the user's denial")
    func denied() async throws {
        let app = try await GitHubApp()
        let login = try await app.visitor.get("github/login/oauth/authorize", Requests.github)
        let answer = try await app.visitor.press("action", "deny", on: login)
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "?error=access_denied"))
        #expect(answer.redirected["error_description"] == "The user has denied your application access.")
        #expect(answer.redirected["error_uri"]?.hasSuffix("/#access-denied") == true)
    }

    @Test("suggests an account, and shows the account picker on request")
    func accounts() async throws {
        let app = try await GitHubApp()
        let login = try await app.visitor.get("github/login/oauth/authorize", Requests.github.with(["login": "bob"]))
        #expect(login.body.contains("name=\"username\" value=\"bob\""))
        _ = try await app.authorize()
        #expect(try await app.visitor.get("github/login/oauth/authorize", Requests.github).location.contains("code="))
        let picker = try await app.visitor.get("github/login/oauth/authorize", Requests.github.with(["prompt": "select_account"]))
        #expect(picker.isLogin)
    }

    @Test(
        "normalizes the scopes, and drops unknown ones",
        arguments: [
            ("user,gist,user:email", "gist,user"), ("user:email read:user", "read:user,user:email"), ("magic", ""),
            ("repo public_repo", "repo"), ("", ""),
        ])
    func scopes(requested: String, granted: String) async throws {
        let app = try await GitHubApp()
        let code = try #require(try await app.authorize(["scope": requested]).redirected["code"])
        #expect(try await app.redeem(code).json["scope"]?.stringValue == granted)
    }

    @Test("completes without a page and without scopes with those that the user has granted before")
    func earlierScopes() async throws {
        let app = try await GitHubApp()
        _ = try await app.token(scope: "user:email")
        _ = try await app.token(scope: "gist")
        let answer = try await app.visitor.get("github/login/oauth/authorize", Requests.github.with(["scope": ""]))
        let code = try #require(answer.redirected["code"])
        #expect(try await app.redeem(code).json["scope"] == "gist,user:email")
        #expect(try await app.visitor.get("github/login/oauth/authorize", Requests.github.with(["scope": "repo"])).isConsent)
    }

    @Test("lets the user leave a scope out")
    func fewerScopes() async throws {
        let app = try await GitHubApp()
        let login = try await app.visitor.get("github/login/oauth/authorize", Requests.github)
        let consent = try await app.visitor.press("person", "alice", on: login)
        let answer = try await app.visitor.press("action", "allow", on: consent, filling: ["decline": "user:email"])
        let tokens = try await app.redeem(try #require(answer.redirected["code"]))
        #expect(tokens.json["scope"] == "read:user")
        #expect(try await app.get("user/emails", tokens.accessToken).status == 404)
    }

    @Test("ends for an application that the user removes")
    func removed() async throws {
        let app = try await GitHubApp()
        let token = try await app.token()
        let page = try await app.visitor.get("github/settings/connections/applications/\(GitHubApp.id)")
        #expect(page.body.contains("Remove Personal Files"))
        _ = try await app.visitor.press("remove", GitHubApp.id, on: page)
        #expect(try await app.get("user", token).status == 401)
        #expect(try await app.visitor.get("github/login/oauth/authorize", Requests.github).isConsent)
    }

    @Test("an outage has the format of the endpoint")
    func faults() async throws {
        let app = try await GitHubApp()
        _ = app.visitor.cloud.faults.add(FaultRule(service: "github", action: "Token", failure: .init(code: "ServiceUnavailable")))
        let token = try await app.redeem("x")
        #expect(token.status == 503)
        #expect(token.error == "temporarily_unavailable")
        _ = app.visitor.cloud.faults.add(FaultRule(service: "github", action: "User", failure: .init(code: "server_error")))
        let user = try await app.get("user", "x")
        #expect(user.status == 500)
        #expect(user.json["message"] == "The server failed.")
        #expect(user.json["status"] == "500")
    }
}
