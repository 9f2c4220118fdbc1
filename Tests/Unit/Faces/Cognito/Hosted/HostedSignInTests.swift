import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

@Suite("Pages at the domain of a user pool")
struct HostedSignInTests {
    @Test("C40: a wrong password and a disabled user are refused on the page")
    func refused() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let wrong = try await browser.signIn(password: "Wr0ngPass!")
            #expect(wrong.status == 200)
            #expect(wrong.text.contains("Incorrect username or password."))
            #expect(wrong.text.contains("value=\"alice\""))
            #expect(try await browser.signIn(name: "off").text.contains("User is disabled."))
            #expect(!browser.cookies.contains { $0.name == "cognito" })
        }
    }

    @Test("C40: what a person types is escaped")
    func escapes() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let page = try await browser.signIn(name: "\"><script>")
            #expect(!page.text.contains("<script>"))
            let error = try await sandbox.hosted(.get, "/error?error=%3Cscript%3E")
            #expect(!error.text.contains("<script>"))
        }
    }

    @Test("C40: a temporary password is changed on a page")
    func changesPassword() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let page = try await browser.signIn(name: "new", password: "Temp0rary!")
            #expect(page.text.contains("Change password"))
            let weak = try await browser.submit(page, ["new_password": "Sh0rt!"])
            #expect(weak.text.contains("Password does not conform to policy: Password not long enough"))
            let answer = try await browser.submit(weak, ["new_password": "An0ther-One"])
            #expect(answer.location?.hasPrefix("https://app.example/callback?code=") == true)
            // The session was used.
            let again = try await browser.submit(weak, ["new_password": "An0ther-Two"])
            #expect(again.text.contains("Invalid session for the user, session can only be used once."))
        }
    }

    @Test("C40: a second factor is set up and asked for on pages")
    func secondFactor() async throws {
        try await UserPoolSandbox.runHosted(pool: #"multiFactor: "ON", softwareTokens: true,"#) { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let page = try await browser.signIn()
            #expect(page.text.contains("Set up an authenticator app"))
            let wrong = try await browser.submit(page, ["code": "000000"])
            #expect(wrong.text.contains("Code mismatch and fail enable Software Token MFA"))
            let seed = try #require(try sandbox.user("alice").softwareToken).seed
            let counter = OneTimePassword.counter(atSeconds: sandbox.cloud.clock.wall.seconds)
            let answer = try await browser.submit(wrong, ["code": OneTimePassword.password(seed: seed, counter: counter)])
            #expect(answer.location?.contains("?code=") == true)
            let other = HostedBrowser(sandbox)
            let second = try await other.signIn()
            #expect(second.text.contains("Type the code of your authenticator app."))
            #expect(try await other.submit(second, ["code": "000000"]).text.contains("Invalid code received for user"))
            let next = OneTimePassword.password(seed: seed, counter: counter + 1)
            #expect(try await other.submit(second, ["code": next]).location?.contains("?code=") == true)
        }
    }

    @Test("C40: a challenge is answered in the browser that was asked, and not at the API")
    func boundChallenge() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let page = try await browser.signIn(name: "new", password: "Temp0rary!")
            let session = try #require(page.text.split(separator: "name=\"session\" value=\"").dropFirst().first).prefix { $0 != "\"" }
            expect(
                try await sandbox.respond(
                    "NEW_PASSWORD_REQUIRED", String(session), ["USERNAME": "new", "NEW_PASSWORD": "An0ther-One"]),
                "NotAuthorizedException", "Invalid session for the user.")
            let other = HostedBrowser(sandbox)
            let login = try await other.open("/login?" + HostedBrowser.request)
            let own = try #require(login.text.split(separator: "name=\"_csrf\" value=\"").dropFirst().first).prefix { $0 != "\"" }
            let stolen = try await other.submit(page, ["_csrf": String(own), "new_password": "An0ther-One"])
            #expect(stolen.text.contains("Invalid session for the user."))
            let api = try #require(try await sandbox.signIn("new", "Temp0rary!").session)
            let mixed = try await browser.submit(page, ["session": api, "new_password": "An0ther-One"])
            #expect(mixed.text.contains("Invalid session for the user."))
        }
    }

    @Test("C40: a person signs up, confirms, and is signed in")
    func signsUp() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let page = try await browser.open("/signup?" + HostedBrowser.request)
            #expect(page.text.contains("name=\"requiredAttributes[email]\""))
            let weak = try await browser.submit(
                page, ["username": "carol", "requiredAttributes[email]": "carol@company.example", "password": "weakpass"])
            #expect(weak.text.contains("Password must have uppercase characters"))
            let confirmation = try await browser.submit(
                weak, ["username": "carol", "requiredAttributes[email]": "carol@company.example", "password": UserPoolSandbox.password])
            #expect(confirmation.text.contains("Confirm your account"))
            #expect(try await browser.submit(confirmation, ["code": "none"]).text.contains("Invalid verification code provided"))
            let code = try #require(try sandbox.user("carol").codes.first).code
            let answer = try await browser.submit(confirmation, ["code": code])
            #expect(answer.location?.hasPrefix("https://app.example/callback?code=") == true)
            #expect(try sandbox.user("carol").isVerified("email"))
        }
    }

    @Test("C40: a person who did not confirm is asked at the login, in another browser too")
    func confirmsLater() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            _ = try await sandbox.call(
                "SignUp",
                [
                    "ClientId": "app", "Username": "carol", "Password": .string(UserPoolSandbox.password),
                    "UserAttributes": [["Name": "email", "Value": "carol@company.example"]],
                ])
            let browser = HostedBrowser(sandbox)
            #expect(try await browser.signIn(name: "carol", password: "Wr0ngPass!").text.contains("Incorrect username or password."))
            let page = try await browser.signIn(name: "carol")
            #expect(page.text.contains("Confirm your account"))
            let resend = try await browser.submit(try await browser.open("/resendcode?" + HostedBrowser.request), ["username": "carol"])
            let code = try #require(try sandbox.user("carol").codes.first).code
            // This page has no proof of the password.
            let confirmed = try await browser.submit(resend, ["code": code])
            #expect(confirmed.status == 200)
            #expect(confirmed.text.contains("Your account is confirmed. Sign in."))
            #expect(try await browser.signIn(name: "carol").location?.contains("?code=") == true)
        }
    }

    @Test("C40: a forgotten password is replaced with a code")
    func forgets() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            let page = try await browser.open("/forgotPassword?" + HostedBrowser.request)
            let next = try await browser.submit(page, ["username": "alice"])
            let wrong = try await browser.submit(next, ["code": "none", "password": "An0ther-One"])
            #expect(wrong.text.contains("Invalid verification code provided"))
            let code = try #require(try sandbox.user("alice").codes.first { $0.purpose == .password }).code
            #expect(try await browser.submit(wrong, ["code": code, "password": "An0ther-One"]).text.contains("Your password is changed."))
            #expect(try await browser.signIn(password: "An0ther-One").location?.contains("?code=") == true)
        }
    }

    @Test("C40: where only administrators create users, nobody signs up")
    func closed() async throws {
        try await UserPoolSandbox.runHosted(pool: "onlyAdminsCreate: true,") { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            #expect(try await !browser.open("/login?" + HostedBrowser.request).text.contains("/signup"))
            #expect(try await browser.open("/signup?" + HostedBrowser.request).status == 400)
        }
    }

    @Test("C40: an app without COGNITO among its identity providers has no pages")
    func withoutProvider() async throws {
        let web = UserPoolSandbox.web.replacing(#"["COGNITO"]"#, with: "[]")
        try await UserPoolSandbox.run(UserPoolSandbox.seed(pool: UserPoolSandbox.hosted, client: web)) { sandbox async throws in
            let answer = try await sandbox.hosted(.get, "/login?" + HostedBrowser.request)
            #expect(answer.status == 400)
            #expect(answer.text.contains("Login pages unavailable. Please contact an administrator."))
        }
    }

    /// The pages with forms, and those that receive them.
    private static let forms = [
        "/login", "/challenge", "/signup", "/confirmUser", "/resendcode", "/forgotPassword", "/confirmForgotPassword",
    ]

    @Test("C40: a form of another site is refused, also with the value of a cookie", arguments: forms)
    func foreignForms(path: String) async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let value = try OpaqueToken.unguessable()
            let form: FormFields = ["_csrf": value, "username": "alice", "password": UserPoolSandbox.password]
            let target = path + "?" + HostedBrowser.request
            for (name, text) in [
                (HTTPField.Name.origin, "https://evil.example"), (.origin, "null"), (HTTPField.Name.secFetchSite, "cross-site"),
            ] {
                var fields: HTTPFields = [.cookie: "XSRF-TOKEN=\(value)"]
                fields[name] = text
                let answer = try await sandbox.hosted(.post, target, form, fields: fields)
                #expect(answer.status == 403)
                #expect(answer.text.contains("foreign_form"))
            }
        }
    }

    @Test("C40: a form without the value of the browser's cookie is refused", arguments: forms)
    func unboundForms(path: String) async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let (value, other) = (try OpaqueToken.unguessable(), try OpaqueToken.unguessable())
            let target = path + "?" + HostedBrowser.request
            for (cookie, field) in [(nil, value), (value, other), (value, "")] as [(String?, String)] {
                var fields: HTTPFields = [:]
                if let cookie { fields[.cookie] = "XSRF-TOKEN=\(cookie)" }
                #expect(try await sandbox.hosted(.post, target, ["_csrf": field, "username": "alice"], fields: fields).status == 403)
            }
        }
    }

    @Test("C40: pages cannot be framed, run no scripts, and are not kept", arguments: forms + ["/error"])
    func headers(path: String) async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let answer = try await sandbox.hosted(.get, path + "?" + HostedBrowser.request)
            #expect(answer.headers[.frameOptions] == "DENY")
            #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(answer.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test("C40: cookies are limited to the pool's paths, hidden from scripts, and new with each login")
    func cookies() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let browser = HostedBrowser(sandbox)
            browser.cookies = [("cognito", "chosen-by-another-site")]
            let answer = try await browser.signIn()
            let session = try #require(answer.headers[values: .setCookie].first { $0.hasPrefix("cognito=") })
            #expect(session.hasSuffix("; Path=/us-east-1_AbCdEf123/; Max-Age=3600; HttpOnly; SameSite=Lax"))
            #expect(!session.contains("chosen-by-another-site"))
            let atHost = try await sandbox.hosted(
                .get, "/login?" + HostedBrowser.request, host: "people.auth.us-east-1.amazoncognito.com")
            #expect(atHost.headers[.setCookie]?.contains("; Path=/; ") == true)
        }
    }

    @Test("C40: the name of a login in the cookie does not end that login")
    func cookieOfAnotherKind() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let tokens = try await sandbox.signIn()
            let access = try #require(tokens.token("AccessToken"))
            let login = try #require(try JSONWebToken(parsing: access).claims["origin_jti"]?.stringValue)
            let browser = HostedBrowser(sandbox)
            browser.cookies = [("cognito", "user pool login \(login)")]
            _ = try await browser.open("/logout?client_id=app&logout_uri=https://app.example/bye")
            #expect(try await sandbox.call("GetUser", ["AccessToken": .string(access)]).status == 200)
        }
    }

    @Test("C45: pages at the pool's host name and below the pool")
    func places() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let target = "/oauth2/authorize?" + HostedBrowser.request
            let atHost = try await sandbox.hosted(.get, target, host: "people.auth.us-east-1.amazoncognito.com")
            #expect(atHost.location?.hasPrefix("http://people.auth.us-east-1.amazoncognito.com/login?") == true)
            let below = try await sandbox.hosted(.get, target)
            #expect(below.location?.hasPrefix("http://localhost:4566/us-east-1_AbCdEf123/login?") == true)
        }
    }

    @Test("C45: at AWS's name, discovery has the name of the domain")
    func discovery() async throws {
        try await UserPoolSandbox.runHosted { sandbox async throws in
            let path = "/us-east-1_AbCdEf123/.well-known/openid-configuration"
            let call = Call(.get, path, authority: "cognito-idp.us-east-1.amazonaws.com", cloud: sandbox.cloud)
            let document = try JSONValue(parsing: await UserPoolIssuerFace().respond(to: call).collectedBody())
            #expect(document["token_endpoint"] == "https://people.auth.us-east-1.amazoncognito.com/oauth2/token")
            #expect(document["issuer"] == "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_AbCdEf123")
        }
    }
}
