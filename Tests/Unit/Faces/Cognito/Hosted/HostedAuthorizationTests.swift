import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

@Suite("Authorization at the domain of a user pool")
struct HostedAuthorizationTests {
    @Test("C40: a browser is sent to the login page, and after that to the app with a code")
    func code() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let first = try await browser.open("/oauth2/authorize?" + HostedBrowser.request)
            #expect(first.status == 302)
            #expect(first.location?.hasPrefix("http://localhost:4566/us-east-1_AbCdEf123/login?") == true)
            let page = try await browser.open("/login?" + HostedBrowser.request)
            #expect(page.status == 200)
            #expect(!page.text.contains("<script"))
            let answer = try await browser.submit(page, ["username": "alice", "password": UserPoolSandbox.password])
            #expect(answer.status == 302)
            #expect(answer.location?.hasPrefix("https://app.example/callback?code=") == true)
            #expect(try HostedBrowser.parameters(answer.location)["state"] == "s1")
            // The session answers without a page.
            let again = try await browser.open("/oauth2/authorize?" + HostedBrowser.request)
            #expect(again.location?.hasPrefix("https://app.example/callback?code=") == true)
            try await sandbox.cloud.age(by: .seconds(3601))
            let later = try await browser.open("/oauth2/authorize?" + HostedBrowser.request)
            #expect(later.location?.contains("/login?") == true)
        }
    }

    @Test("C42: a code gives three tokens once, with the scopes of the request")
    func redeems() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let code = try await browser.code(HostedBrowser.request + "&nonce=n1")
            let answer = try await sandbox.redeem(code)
            #expect(answer.status == 200)
            #expect(
                answer.json.objectValue?.names.sorted() == ["access_token", "expires_in", "id_token", "refresh_token", "token_type"])
            let accessToken = try #require(answer["access_token"]?.stringValue)
            let access = try JSONWebToken(parsing: accessToken).claims
            #expect(access["scope"] == "openid email")
            #expect(access["version"] == 2)
            let identity = try JSONWebToken(parsing: try #require(answer["id_token"]?.stringValue)).claims
            #expect(identity["nonce"] == "n1")
            #expect(identity["at_hash"] == .string(Array(SHA256.hash(accessToken).prefix(16)).base64url))
            #expect(identity["email"] == "alice@company.example")
            #expect(identity["custom:team"] == nil)
            #expect(try await sandbox.redeem(code).json == ["error": "invalid_grant"])
            // The calls with which people manage their own account need another scope.
            expect(
                try await sandbox.call("GetUser", ["AccessToken": .string(accessToken)]), "NotAuthorizedException",
                "Access Token does not have required scopes")
        }
    }

    @Test("C42: a code is bound to its client, its redirect URI and five minutes")
    func boundCode() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let code = try await browser.code()
            #expect(try await sandbox.redeem(code, redirectURI: "https://app.example/other?x=1").json == ["error": "invalid_grant"])
            #expect(try await sandbox.redeem(code, ["code_verifier": String(repeating: "v", count: 43)]).json == ["error": "invalid_grant"])
            #expect(try await sandbox.redeem(code, client: "usual").json == ["error": "invalid_grant"])
            #expect(try await sandbox.redeem("none").json == ["error": "invalid_grant"])
            #expect(try await sandbox.redeem(code).status == 200)
            let old = try await browser.code()
            try await sandbox.cloud.age(by: .seconds(301))
            #expect(try await sandbox.redeem(old).json == ["error": "invalid_grant"])
        }
    }

    @Test("C40: a code with a challenge needs its verifier")
    func proof() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let verifier = String(repeating: "v", count: 43)
            let challenge = SHA256.hash(verifier).base64url
            let browser = HostedBrowser(sandbox)
            let code = try await browser.code(HostedBrowser.request + "&code_challenge_method=S256&code_challenge=\(challenge)")
            #expect(try await sandbox.redeem(code).json == ["error": "invalid_grant"])
            #expect(try await sandbox.redeem(code, ["code_verifier": String(repeating: "w", count: 43)]).json == ["error": "invalid_grant"])
            #expect(try await sandbox.redeem(code, ["code_verifier": verifier]).status == 200)
        }
    }

    @Test("C40: the implicit grant returns tokens in the fragment")
    func implicit() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let request = HostedBrowser.request.replacing("response_type=code", with: "response_type=token")
            let answer = try await browser.signIn(request)
            #expect(answer.location?.hasPrefix("https://app.example/callback#id_token=") == true)
            let fields = try HostedBrowser.parameters(answer.location)
            #expect(fields.fields.map(\.name) == ["id_token", "access_token", "token_type", "expires_in", "state"])
            #expect(fields["token_type"] == "bearer")
            let ofServer = request.replacing("openid+email", with: "https://orders.example/read")
            let withoutID = try await browser.open("/oauth2/authorize?" + ofServer)
            #expect(try HostedBrowser.parameters(withoutID.location)["id_token"] == nil)
            #expect(try HostedBrowser.parameters(withoutID.location)["access_token"] != nil)
        }
    }

    @Test(
        "C41: a request without a valid client and redirect URI ends at the error page",
        arguments: [
            "client_id=none&response_type=code&redirect_uri=https://app.example/callback",
            "client_id=app&response_type=code&redirect_uri=https://evil.example/",
            "client_id=app&response_type=code&redirect_uri=https://app.example/callback/",
            "client_id=app&response_type=code", "response_type=code",
        ], ["/oauth2/authorize", "/login"])
    func mismatch(query: String, path: String) async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let answer = try await sandbox.hosted(.get, path + "?" + query)
            #expect(answer.status == 302)
            let id = try #require(FormFields(parsing: query))["client_id"]
            let expected = "http://localhost:4566/us-east-1_AbCdEf123/error?error=redirect_mismatch" + (id.map { "&client_id=\($0)" } ?? "")
            #expect(answer.location == expected)
            let page = try await sandbox.hosted(.get, "/error?error=redirect_mismatch")
            #expect(page.status == 400)
            #expect(page.text.contains("<code>redirect_mismatch</code>"))
        }
    }

    @Test(
        "C41: other errors reach the app with its state",
        arguments: [
            ("client_id=app&redirect_uri=https://app.example/callback", "invalid_request"),
            ("client_id=app&redirect_uri=https://app.example/callback&response_type=id_token", "invalid_request"),
            ("client_id=app&redirect_uri=https://app.example/callback&response_type=code&code_challenge=x", "invalid_request"),
            (
                """
                client_id=app&redirect_uri=https://app.example/callback&response_type=code&code_challenge_method=plain&\
                code_challenge=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                """, "invalid_request"
            ),
            ("client_id=app&redirect_uri=https://app.example/callback&response_type=code&response_type=code", "invalid_request"),
            ("client_id=app&redirect_uri=https://app.example/callback&response_type=code&scope=phone", "invalid_scope"),
            ("client_id=app&redirect_uri=https://app.example/callback&response_type=code&scope=email", "invalid_scope"),
            ("client_id=app&redirect_uri=https://app.example/callback&response_type=code&scope=none", "invalid_scope"),
            ("client_id=app&redirect_uri=https://app.example/callback&response_type=code&identity_provider=Google", "invalid_request"),
            ("client_id=codes&redirect_uri=https://app.example/callback&response_type=token", "unauthorized_client"),
        ])
    func refused(query: String, code: String) async throws {
        let app = """
            {id: "codes", name: "codes", oauthFlows: ["code"], oauthScopes: ["openid"], callbackURLs: ["https://app.example/callback"],
             identityProviders: ["COGNITO"]}
            """
        let seed = UserPoolSandbox.seed(pool: UserPoolSandbox.hosted, client: UserPoolSandbox.web)
            .replacing("clients: [", with: "clients: [\(app),")
        try await UserPoolSandbox.run(seed) { sandbox async throws in
            let answer = try await sandbox.hosted(.get, "/oauth2/authorize?\(query)&state=s%201")
            #expect(answer.status == 302)
            #expect(answer.location == "https://app.example/callback?error=\(code)&state=s%201")
        }
    }

    @Test("C41: a redirect URI with a query keeps it")
    func query() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let request = "client_id=app&response_type=code&scope=openid&redirect_uri=https%3A%2F%2Fapp.example%2Fother%3Fx%3D1"
            let answer = try await browser.signIn(request)
            #expect(answer.location?.hasPrefix("https://app.example/other?x=1&code=") == true)
        }
    }

    @Test("C42: a refresh token continues the login with its scopes, and is returned only where it is rotated", arguments: [false, true])
    func refresh(isRotated: Bool) async throws {
        try await UserPoolSandbox.runHosted(app: isRotated ? "rotationGrace: 10" : "") { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let first = try await sandbox.redeem(try await browser.code())
            let token = try #require(first["refresh_token"]?.stringValue)
            let form: FormFields = ["grant_type": "refresh_token", "client_id": "app", "refresh_token": token]
            let answer = try await sandbox.hosted(.post, "/oauth2/token", form)
            #expect(answer.status == 200)
            #expect((answer["refresh_token"] != nil) == isRotated)
            let claims = try JSONWebToken(parsing: try #require(answer["access_token"]?.stringValue)).claims
            #expect(claims["scope"] == "openid email")
            #expect(answer["id_token"] != nil)
            let other: FormFields = ["grant_type": "refresh_token", "client_id": "usual", "refresh_token": token]
            #expect(try await sandbox.hosted(.post, "/oauth2/token", other)["error"] == "invalid_grant")
            #expect(try await sandbox.admin("AdminDisableUser", ["Username": "alice"]).status == 200)
            #expect(try await sandbox.hosted(.post, "/oauth2/token", form)["error"] == "invalid_grant")
        }
    }

    @Test("C44: userinfo returns the attributes of the scopes as texts, for tokens with openid")
    func userInfo() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let tokens = try await sandbox.redeem(try await browser.code())
            let accessToken = try #require(tokens["access_token"]?.stringValue)
            let bearer: HTTPFields = [.authorization: "Bearer " + accessToken]
            let answer = try await sandbox.hosted(.get, "/oauth2/userInfo", fields: bearer)
            #expect(answer.status == 200)
            let sub = try sandbox.user("alice").sub
            #expect(
                answer.json == [
                    "sub": .string(sub), "email": "alice@company.example", "email_verified": "true", "username": "alice",
                ])
            let none = try await sandbox.hosted(.get, "/oauth2/userInfo")
            #expect(none.status == 400)
            #expect(
                none.headers[.wwwAuthenticate]
                    == #"error="invalid_request", error_description="Bad OAuth2 request at UserInfo Endpoint""#)
            let api = try #require(try await sandbox.signIn().token("AccessToken"))
            for token in [api, "none", try #require(tokens["id_token"]?.stringValue)] {
                let refused = try await sandbox.hosted(.get, "/oauth2/userInfo", fields: [.authorization: "Bearer " + token])
                #expect(refused.status == 401)
                #expect(
                    refused.headers[.wwwAuthenticate] == """
                        error="invalid_token", error_description="Access token is expired, disabled, or deleted, or the user has globally \
                        signed out."
                        """)
            }
            _ = try await sandbox.admin("AdminUserGlobalSignOut", ["Username": "alice"])
            #expect(try await sandbox.hosted(.get, "/oauth2/userInfo", fields: bearer).status == 401)
        }
    }

    @Test("C43: openid alone opens all attributes that the app can read")
    func openAttributes() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let tokens = try await sandbox.redeem(try await browser.code(HostedBrowser.request.replacing("openid+email", with: "openid")))
            let identity = try JSONWebToken(parsing: try #require(tokens["id_token"]?.stringValue)).claims
            #expect(identity["custom:team"] == "red")
            #expect(identity["email_verified"] == true)
        }
    }

    @Test("C44: a refresh token is revoked by its client, and an unknown one is no error")
    func revoke() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let tokens = try await sandbox.redeem(try await browser.code())
            let token = try #require(tokens["refresh_token"]?.stringValue)
            let access = try #require(tokens["access_token"]?.stringValue)
            func revoke(_ form: FormFields) async throws -> UserPoolSandbox.HostedAnswer {
                try await sandbox.hosted(.post, "/oauth2/revoke", form)
            }
            let other = try await revoke(["token": token, "client_id": "usual"])
            #expect(other.status == 401)
            #expect(other.json == ["error": "invalid_client"])
            #expect(try await revoke(["token": token, "client_id": "none"]).status == 401)
            #expect(try await revoke(["client_id": "app"]).json == ["error": "invalid_request"])
            #expect(try await revoke(["token": access, "client_id": "app"]).json == ["error": "unsupported_token_type"])
            let done = try await revoke(["token": token, "client_id": "app"])
            #expect(done.status == 200)
            #expect(done.text.isEmpty)
            #expect(try await revoke(["token": "unknown", "client_id": "app"]).status == 200)
            let form: FormFields = ["grant_type": "refresh_token", "client_id": "app", "refresh_token": token]
            #expect(try await sandbox.hosted(.post, "/oauth2/token", form).json == ["error": "invalid_grant"])
        }
    }

    @Test("C44: a logout ends the session of the browser, and goes to a registered URL only")
    func logout() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            _ = try await browser.code()
            let wrong = try await browser.open("/logout?client_id=app&logout_uri=https://evil.example/")
            #expect(wrong.location == "http://localhost:4566/us-east-1_AbCdEf123/error?error=redirect_mismatch&client_id=app")
            let stolen = browser.cookies
            let answer = try await browser.open("/logout?client_id=app&logout_uri=https://app.example/bye")
            #expect(answer.status == 302)
            #expect(answer.location == "https://app.example/bye")
            #expect(!browser.cookies.contains { $0.name == "cognito" })
            browser.cookies = stolen
            let after = try await browser.open("/oauth2/authorize?" + HostedBrowser.request)
            #expect(after.location?.contains("/login?") == true)
            let back = try await browser.open("/logout?" + HostedBrowser.request)
            #expect(back.location?.hasPrefix("http://localhost:4566/us-east-1_AbCdEf123/login?client_id=app&") == true)
        }
    }
}
