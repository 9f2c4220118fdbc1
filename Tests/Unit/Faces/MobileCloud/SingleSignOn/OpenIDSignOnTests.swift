import Cloud
import Cryptography
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import MobileCloudFace

@Suite("Browser single sign-on by OpenID Connect")
struct OpenIDSignOnTests {
    private static let redirect = "/mobile/platform/sso/redirect"

    /// Runs a test in a cloud whose realms log in at the provider.
    private func run(
        _ provider: OpenIDProviderStub = OpenIDProviderStub(), _ signOn: String = OpenIDProviderStub.signOn(),
        others: String = "accounts: []", _ test: (MobileSandbox) async throws -> Void
    ) async throws {
        try await MobileSandbox.withSignOn(signOn, others: others) { mobile async throws in
            var mobile = mobile
            mobile.outbound = { try provider.answer($0) }
            try await test(mobile)
        }
    }

    /// Logs in and returns to the first URL.
    private func signOn(
        _ browser: RelayBrowser, _ url: String, at provider: OpenIDProviderStub, more: FormFields = [:]
    ) async throws -> MobileAnswer {
        var answer = provider.authorize(try await browser.get(url))
        answer.fields += more.fields
        let returned = try await browser.get("\(Self.redirect)?\(answer.encoded)")
        #expect(returned.status == 303)
        #expect(returned.location == MobileSandbox.origin + url)
        return try await browser.follow(returned)
    }

    @Test("logs in at the realm's issuer, with a code that only the relay can redeem (R9, R10, R104, R105)")
    func showsToken() async throws {
        let provider = OpenIDProviderStub()
        try await run(provider) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let url = try mobile.tokenURL()
            let redirect = try await browser.get(url)
            #expect(redirect.status == 302)
            #expect(redirect.location.hasPrefix(OpenIDProviderStub.issuer + "/authorize?"))
            let request = redirect.redirected
            #expect(request["response_type"] == "code")
            #expect(request["client_id"] == "relay")
            #expect(request["scope"] == "openid profile email")
            #expect(request["code_challenge_method"] == "S256")
            #expect(request["redirect_uri"] == MobileSandbox.origin + Self.redirect)
            // The redirect contains nothing of the browser's request.
            #expect(!redirect.location.contains("clientID"))
            let page = try await signOn(browser, url, at: provider)
            #expect(try await mobile.holder(of: page.shownToken) == "joe")

            let redeemed = try #require(provider.requests.last { $0.method == .post })
            #expect(redeemed.url == OpenIDProviderStub.issuer + "/token")
            #expect(redeemed.headers[.authorization] == "Basic " + Array("relay:s%3Ae%20c".utf8).base64)
            let form = try #require(FormFields(parsing: String(decoding: redeemed.body, as: UTF8.self)))
            #expect(form["grant_type"] == "authorization_code")
            #expect(form["code"] == "the-code")
            #expect(form["redirect_uri"] == MobileSandbox.origin + Self.redirect)
            #expect(PKCE.isVerifier(form["code_verifier"] ?? ""))
        }
    }

    @Test("sends a code verifier for its challenge")
    func challenge() async throws {
        let provider = OpenIDProviderStub()
        try await run(provider) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let redirect = try await browser.get(mobile.tokenURL())
            _ = try await browser.get("\(Self.redirect)?\(provider.authorize(redirect).encoded)")
            let redeemed = try #require(provider.requests.last { $0.method == .post })
            let form = FormFields(parsing: String(decoding: redeemed.body, as: UTF8.self))
            #expect(PKCE.matches(verifier: form?["code_verifier"] ?? "", challenge: redirect.redirected["code_challenge"] ?? ""))
        }
    }

    @Test("sends the secret in the form if the provider does not support the header, and none if there is none")
    func clientAuthentication() async throws {
        let provider = OpenIDProviderStub { $0.metadata["token_endpoint_auth_methods_supported"] = ["client_secret_post"] }
        try await run(provider) { mobile async throws in
            _ = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), at: provider)
            let redeemed = try #require(provider.requests.last { $0.method == .post })
            let form = FormFields(parsing: String(decoding: redeemed.body, as: UTF8.self))
            #expect(redeemed.headers[.authorization] == nil)
            #expect(form?["client_id"] == "relay")
            #expect(form?["client_secret"] == "s:e c")
        }
        let open = OpenIDProviderStub()
        try await run(open, "{openIDConnect: {issuer: '\(OpenIDProviderStub.issuer)', clientID: 'relay'}}") { mobile async throws in
            _ = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), at: open)
            let redeemed = try #require(open.requests.last { $0.method == .post })
            let form = FormFields(parsing: String(decoding: redeemed.body, as: UTF8.self))
            #expect(redeemed.headers[.authorization] == nil)
            #expect(form?["client_id"] == "relay")
            #expect(form?["client_secret"] == nil)
        }
    }

    @Test("finds the user by a claim of the token, or of userinfo (R97, R107)")
    func mapping() async throws {
        let byMail = OpenIDProviderStub.signOn("usernameAttribute: 'email', userMappingAttribute: 'mail'")
        let inToken = OpenIDProviderStub { $0.claims = ["sub": "1", "email": "ann@EXAMPLE.com"] }
        try await run(inToken, byMail) { mobile async throws in
            let page = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), at: inToken)
            #expect(try await mobile.holder(of: page.shownToken) == "ann")
            #expect(!inToken.requests.contains { $0.url.hasSuffix("/userinfo") })
        }
        let further = OpenIDProviderStub {
            $0.claims = ["sub": "1"]
            $0.userInfo = ["sub": "1", "email": "ann@example.com", "email_verified": true]
        }
        try await run(further, byMail) { mobile async throws in
            let page = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), at: further)
            #expect(try await mobile.holder(of: page.shownToken) == "ann")
            #expect(further.requests.last?.headers[.authorization] == "Bearer opaque")
        }
        let somebodyElses = OpenIDProviderStub {
            $0.claims = ["sub": "1"]
            $0.userInfo = ["sub": "2", "email": "ann@example.com"]
        }
        try await run(somebodyElses, byMail) { mobile async throws in
            #expect(try await signOn(RelayBrowser(mobile), mobile.tokenURL(), at: somebodyElses).status == 401)
        }
        let unverified = OpenIDProviderStub { $0.claims = ["sub": "1", "email": "ann@example.com", "email_verified": false] }
        try await run(unverified, byMail) { mobile async throws in
            let page = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), at: unverified)
            #expect(page.status == 401)
            #expect(page.mentions("has not verified"))
        }
    }

    @Test("refuses users without an account in the realm (R97, R107)")
    func unknownPerson() async throws {
        let provider = OpenIDProviderStub { $0.claims = ["sub": "mallory"] }
        try await run(provider) { mobile async throws in
            let answer = try await signOn(RelayBrowser(mobile), mobile.tokenURL("app", ["format": "json"]), at: provider)
            #expect(answer.status == 403)
            #expect(answer.json["status"] == 403)
            #expect(answer.errorCode == MobileErrorKind.unknownUser.code)
        }
    }

    enum Forgery: CaseIterable {
        case issuer, audience, audiences, party, nonce, noNonce, expired, future, notYet, noTime, noExpiry, noSubject, key

        func apply(to behaviour: inout OpenIDProviderStub.Behaviour) {
            let now = Timestamp.now().seconds
            switch self {
            case .issuer: behaviour.claims = ["iss": "https://mallory.example"]
            case .audience: behaviour.claims = ["aud": "another"]
            case .audiences: behaviour.claims = ["aud": ["relay", "another"]]
            case .party: behaviour.claims = ["azp": "another"]
            case .nonce: behaviour.claims = ["nonce": "another"]
            case .noNonce: behaviour.claims = ["nonce": nil]
            case .expired: behaviour.claims = ["iat": .integer(now - 400), "exp": .integer(now - 1)]
            case .future: behaviour.claims = ["iat": .integer(now + 3600)]
            case .notYet: behaviour.claims = ["nbf": .integer(now + 3600)]
            case .noTime: behaviour.claims = ["nbf": "soon"]
            case .noExpiry: behaviour.claims = ["exp": nil]
            case .noSubject: behaviour.claims = ["sub": nil]
            case .key: behaviour.signsWithOtherKey = true
            }
        }
    }

    @Test("refuses an ID token with any single fault", arguments: Forgery.allCases)
    func forgeries(_ forgery: Forgery) async throws {
        let provider = OpenIDProviderStub { forgery.apply(to: &$0) }
        try await run(provider) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let answer = try await signOn(browser, mobile.tokenURL("app", ["format": "json"]), at: provider)
            #expect(answer.status == 401)
            #expect(answer.errorCode == MobileErrorKind.signOnFailed.code)
            #expect(browser.cookies[RelayBrowser.session] == nil)
        }
    }

    @Test("shows the provider's error if the login is denied or the code is refused")
    func providerRefuses() async throws {
        let provider = OpenIDProviderStub()
        try await run(provider) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let state = provider.authorize(try await browser.get(mobile.tokenURL()))["state"] ?? ""
            let answer: FormFields = ["error": "access_denied", "error_description": "The person <refused>.", "state": state]
            let page = try await browser.follow(try await browser.get("\(Self.redirect)?\(answer.encoded)"))
            #expect(page.status == 401)
            #expect(page.mentions("access_denied: The person &lt;refused&gt;."))
        }
        let strict = OpenIDProviderStub { $0.refusal = ["error": "invalid_grant", "error_description": "The code is unknown."] }
        try await run(strict) { mobile async throws in
            let page = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), at: strict)
            #expect(page.status == 401)
            #expect(page.mentions("invalid_grant: The code is unknown."))
        }
    }

    @Test("refuses a response of another issuer (RFC 9207)")
    func mixUp() async throws {
        let provider = OpenIDProviderStub { $0.metadata["authorization_response_iss_parameter_supported"] = true }
        try await run(provider) { mobile async throws in
            let good = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), at: provider, more: ["iss": OpenIDProviderStub.issuer])
            #expect(good.status == 200)
            let other = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), at: provider, more: ["iss": "https://mallory.example"])
            #expect(other.status == 401)
            #expect(try await signOn(RelayBrowser(mobile), mobile.tokenURL(), at: provider).status == 401)
        }
    }

    @Test("accepts a response once, in the browser of the login and in time")
    func bound() async throws {
        let provider = OpenIDProviderStub()
        try await run(provider) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let answer = provider.authorize(try await browser.get(mobile.tokenURL()))
            let other = RelayBrowser(mobile)
            _ = try await other.get(mobile.tokenURL("second"))
            _ = provider.authorize(try await browser.get(mobile.tokenURL()))
            #expect(try await other.get("\(Self.redirect)?\(answer.encoded)").status == 401)
            #expect(try await browser.get("\(Self.redirect)?code=the-code&state=guessed").status == 401)
            #expect(try await browser.get("\(Self.redirect)?code=the-code").status == 401)
            #expect(try await browser.get("\(Self.redirect)?\(answer.encoded)").status == 303)
            #expect(try await browser.get("\(Self.redirect)?\(answer.encoded)").status == 401)
            #expect(try await browser.get("\(Self.redirect)?\(answer.encoded)&state=twice").status == 400)
            let late = provider.authorize(try await RelayBrowser(mobile).get(mobile.tokenURL()))
            try await mobile.cloud.age(by: .seconds(1801))
            #expect(try await browser.get("\(Self.redirect)?\(late.encoded)").status == 401)
        }
    }

    @Test("does not start if the issuer's metadata are invalid or unreachable")
    func metadata() async throws {
        let changes: [@Sendable (inout OpenIDProviderStub.Behaviour) -> Void] = [
            { $0.metadata["issuer"] = "https://mallory.example" },
            { $0.metadata["token_endpoint"] = nil },
            // Plain HTTP, although the issuer uses TLS.
            { $0.metadata["jwks_uri"] = "http://login.elsewhere.example/jwks" },
            { $0.metadata["authorization_endpoint"] = "javascript:alert(1)" },
        ]
        for change in changes {
            try await run(OpenIDProviderStub { change(&$0) }) { mobile async throws in
                let answer = try await mobile.get(mobile.tokenURL("app", ["format": "json"]))
                #expect(answer.status == 502)
                #expect(answer.errorCode == MobileErrorKind.identityProviderUnreachable.code)
            }
        }
        try await MobileSandbox.withSignOn(OpenIDProviderStub.signOn()) { mobile async throws in
            #expect(try await mobile.get(mobile.tokenURL()).status == 502)
        }
    }

    @Test("sends browsers to an issuer of this process at their host, and calls it under its own name")
    func ownIssuer() async throws {
        let others = "identityProviders: [{name: 'company', issuer: 'https://login.company.example', people: []}]"
        let issuer = "https://login.company.example/idp/company"
        let provider = OpenIDProviderStub(issuer: issuer)
        try await run(provider, OpenIDProviderStub.signOn(issuer: "https://login.company.example"), others: others) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let url = try mobile.tokenURL()
            let redirect = try await browser.get(url)
            #expect(redirect.location.hasPrefix("http://localhost:4566/idp/company/authorize?"))
            let page = try await signOn(browser, url, at: provider, more: ["iss": "http://localhost:4566/idp/company"])
            #expect(try await mobile.holder(of: page.shownToken) == "joe")
            #expect(
                Set(provider.requests.map(\.url)) == [
                    "https://login.company.example/.well-known/openid-configuration", "https://login.company.example/token",
                    "https://login.company.example/jwks",
                ])
        }
    }

    @Test("does not confuse an issuer of another process with one of this process of the same name")
    func namesake() async throws {
        let others = "identityProviders: [{name: 'company', issuer: 'https://login.company.example', people: []}]"
        let issuer = "http://localhost:9999/idp/company"
        let provider = OpenIDProviderStub(issuer: issuer)
        try await run(provider, OpenIDProviderStub.signOn(issuer: issuer), others: others) { mobile async throws in
            let url = try mobile.tokenURL()
            let redirect = try await RelayBrowser(mobile).get(url)
            #expect(redirect.location.hasPrefix("http://localhost:9999/idp/company/authorize?"))
            #expect(try await mobile.holder(of: signOn(RelayBrowser(mobile), url, at: provider).shownToken) == "joe")
        }
    }
}
