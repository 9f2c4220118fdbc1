import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import MobileCloudFace

@Suite("Browser single sign-on by SAML")
struct SAMLSignOnTests {
    private static let consumer = "/mobile/platform/sso/redirect/saml"

    /// Logs in and returns to the first URL.
    private func signOn(
        _ browser: RelayBrowser, _ url: String, as provider: SAMLProviderStub = SAMLProviderStub(),
        _ wrapping: SAMLProviderStub.Wrapping = .signed
    ) async throws -> MobileAnswer {
        let redirect = try await browser.get(url)
        let returned = try await browser.post(Self.consumer, provider.form(for: redirect, wrapping))
        #expect(returned.status == 303)
        #expect(returned.location == MobileSandbox.origin + url)
        return try await browser.follow(returned)
    }

    @Test("shows the token after a login at the realm's provider (R9, R17, R102–R105)", arguments: ["token", "exchange-token"])
    func showsToken(path: String) async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let url = try mobile.tokenURL(path: path)
            let redirect = try await browser.get(url)
            #expect(redirect.status == 302)
            #expect(redirect.location.hasPrefix(SAMLProviderStub.signOn + "?SAMLRequest="))
            let request = try XMLElement(parsing: SAMLProviderStub.request(redirect).message)
            #expect(request.isNamed("AuthnRequest", in: SAML.protocol))
            #expect(request.attribute("Version") == "2.0")
            #expect(request.attribute("Destination") == SAMLProviderStub.signOn)
            #expect(request.attribute("AssertionConsumerServiceURL") == SAMLProviderStub.consumer)
            #expect(request.child("Issuer", in: SAML.assertion)?.text == SAMLProviderStub.audience)
            let returned = try await browser.post(Self.consumer, SAMLProviderStub().form(for: redirect))
            #expect(returned.status == 303)
            #expect(returned.location == MobileSandbox.origin + url)
            #expect(returned.entry.caller == "joe")
            let page = try await browser.follow(returned)
            #expect(page.status == 200)
            #expect(page.fields[.contentType] == "text/html; charset=utf-8")
            #expect(try await mobile.holder(of: page.shownToken) == "joe")
            let content = try await MobileTokens(cloud: mobile.cloud).read(page.shownToken ?? "")
            let backend = try mobile.backend()
            #expect(content.backendID == backend.id)
            #expect(page.entry.caller == "joe")
            #expect(page.entry.operation == "ssoToken")
        }
    }

    @Test("returns JSON under the first URL, for six hours (R120, X4, X5)")
    func answersJSON() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let url = try mobile.tokenURL("app", ["format": "json", "_": "1470000000000"])
            let answer = try await signOn(RelayBrowser(mobile), url)
            #expect(answer.json["expires_in"] == 21_600)
            #expect(answer["token_type"] == "Bearer")
            #expect(try await mobile.holder(of: answer["access_token"]) == "joe")
            #expect(answer.fields[.cacheControl] == "no-store")
            // The part that the SDK reads, from the first brace to the last.
            #expect(answer.text.first == "{")
            #expect(answer.text.last == "}")
            #expect(answer.text.count(where: { $0 == "{" }) == 1)
        }
    }

    @Test(
        "issues tokens with the lifetime of the policy, or eight hours without it (R58, R120, X1)",
        arguments: [("'600'", 600), ("900", 900), ("null", 28_800)])
    func lifetime(policy: String, seconds: Int) async throws {
        let policies = "Security_TokenExchangeTimeoutSecs: \(policy)"
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn(), policies: policies) { mobile async throws in
            let answer = try await signOn(RelayBrowser(mobile), mobile.tokenURL("app", ["format": "json"]))
            #expect(answer.json["expires_in"]?.integerValue == Int64(seconds))
            let content = try await MobileTokens(cloud: mobile.cloud).read(answer["access_token"] ?? "")
            #expect(content.expires.seconds - content.issued.seconds == Int64(seconds))
        }
    }

    @Test("issues no token if the policy of its lifetime is not a number (R120)")
    func malformedLifetime() async throws {
        let policies = "Security_TokenExchangeTimeoutSecs: 'soon'"
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn(), policies: policies) { mobile async throws in
            let page = try await signOn(RelayBrowser(mobile), mobile.tokenURL())
            #expect(page.status == 401)
            #expect(page.mentions("Security_TokenExchangeTimeoutSecs"))
            #expect(page.shownToken == nil)
        }
    }

    @Test("posts the token only to a listed page (R110–R113)")
    func formPost() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let target = "https://www.example.com/app/landing?a=1&b=2"
            let page = try await signOn(
                RelayBrowser(mobile), mobile.tokenURL("app", ["redirect_uri": target, "state": "a\"b&<c>"]))
            #expect(page.status == 200)
            #expect(page.action == target)
            #expect(try await mobile.holder(of: page.hidden("access_token")) == "joe")
            #expect(page.hidden("token_type") == "Bearer")
            #expect(page.hidden("expires_in") == "21600")
            #expect(page.mentions("value=\"a&quot;b&amp;&lt;c&gt;\""))
            let policy = page.fields[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("form-action https://www.example.com;"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(page.fields[.referrerPolicy] == "same-origin")
            #expect(page.fields[.cacheControl] == "no-store")
        }
    }

    @Test("identifies the browser by its cookie: the next token in the same window is for the same user (R106)")
    func sameWindow() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let browser = RelayBrowser(mobile)
            _ = try await signOn(browser, mobile.tokenURL())
            let second = try await browser.get(mobile.tokenURL("second", ["format": "json"]))
            #expect(second.status == 200)
            let content = try await MobileTokens(cloud: mobile.cloud).read(second["access_token"] ?? "")
            let backend = try mobile.backend("second")
            #expect(content.username == "joe")
            #expect(content.backendID == backend.id)
            // A private window has no session.
            #expect(try await RelayBrowser(mobile).get(mobile.tokenURL()).status == 302)
            // The session is not valid at another realm, where another user has the same name.
            #expect(try await browser.get(mobile.tokenURL("other")).status == 302)
        }
    }

    @Test("ends the session after eight hours, with the provider's session, and with the user's account")
    func sessionEnds() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let (long, short) = (RelayBrowser(mobile), RelayBrowser(mobile))
            _ = try await signOn(long, mobile.tokenURL())
            _ = try await signOn(short, mobile.tokenURL(), as: SAMLProviderStub(sessionUntil: 3600))
            try await mobile.cloud.age(by: .seconds(3601))
            #expect(try await long.get(mobile.tokenURL()).status == 200)
            #expect(try await short.get(mobile.tokenURL()).status == 302)
            try await mobile.cloud.age(by: .seconds(25_200))
            #expect(try await long.get(mobile.tokenURL()).status == 302)
            _ = try await signOn(long, mobile.tokenURL())
            try await mobile.cloud.edit { directory in
                guard var realm = directory.mobile.realms["Default(1.0)"] else { return }
                realm.users.removeAll()
                directory.put(.mobile(.realm(realm)))
            }
            #expect(try await long.get(mobile.tokenURL()).status == 302)
        }
    }

    @Test("ends the session with the provider's, which ages from the assertion on")
    func agedAssertion() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let url = try mobile.tokenURL()
            let redirect = try await browser.get(url)
            let form = try SAMLProviderStub(sessionUntil: 3600).form(for: redirect)
            try await mobile.cloud.age(by: .seconds(200))
            let returned = try await browser.post(Self.consumer, form)
            #expect(try await browser.follow(returned).status == 200)
            try await mobile.cloud.age(by: .seconds(3450))
            #expect(try await browser.get(url).status == 302)
        }
    }

    @Test("finds the user by email address or by an attribute (R97, R107)")
    func mapping() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn(mapping: "mail")) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let redirect = try await browser.get(mobile.tokenURL())
            let request = try XMLElement(parsing: SAMLProviderStub.request(redirect).message)
            let policy = request.child("NameIDPolicy", in: SAML.protocol)
            #expect(policy?.attribute("Format") == SAML.NameIDFormat.emailAddress.rawValue)
            let page = try await signOn(browser, mobile.tokenURL(), as: SAMLProviderStub(subject: "ann@example.com"))
            #expect(try await mobile.holder(of: page.shownToken) == "ann")
        }
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn(attribute: "uid")) { mobile async throws in
            let provider = SAMLProviderStub(subject: "somebody", attributes: ["uid": "ann"])
            let page = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), as: provider)
            #expect(try await mobile.holder(of: page.shownToken) == "ann")
            let answer = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), as: SAMLProviderStub(subject: "ann"))
            #expect(answer.status == 401)
            #expect(answer.mentions("attribute uid"))
        }
    }

    @Test("refuses users without an account in the realm, at the first URL and once (R97, R107)")
    func unknownPerson() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let url = try mobile.tokenURL("app", ["format": "json"])
            let stranger = SAMLProviderStub(subject: "<b>mallory</b>")
            let answer = try await signOn(browser, url, as: stranger)
            #expect(answer.status == 403)
            #expect(answer.json["status"] == 403)
            #expect(answer.json["access_token"] == nil)
            #expect(answer.errorCode == MobileErrorKind.unknownUser.code)
            #expect(answer["detail"]?.contains("Default(1.0)") == true)
            #expect(browser.cookies[RelayBrowser.session] == nil)
            #expect(try await browser.get(url).status == 302)
            let page = try await signOn(browser, mobile.tokenURL(), as: stranger)
            #expect(page.status == 403)
            #expect(page.mentions("&lt;b&gt;mallory"))
            #expect(!page.mentions("<b>mallory"))
            #expect(page.entry.errorCode == MobileErrorKind.unknownUser.code)
        }
    }

    enum Forgery: CaseIterable {
        case otherRequest, otherRecipient, otherDestination, otherAudience, otherIssuer, otherMethod, unsigned, otherKey
        case expired, conditionsExpired, notYet, future, noAuthentication, sessionOver

        var provider: SAMLProviderStub {
            switch self {
            case .otherRequest: SAMLProviderStub(answers: "_somebody-elses")
            case .otherRecipient: SAMLProviderStub(recipient: "https://elsewhere.example/acs")
            case .otherDestination: SAMLProviderStub(destination: "https://elsewhere.example/acs")
            case .otherAudience: SAMLProviderStub(audience: "urn:elsewhere")
            case .otherIssuer: SAMLProviderStub(issuer: "https://elsewhere.example")
            case .otherMethod: SAMLProviderStub(method: "urn:oasis:names:tc:SAML:2.0:cm:sender-vouches")
            case .unsigned, .otherKey: SAMLProviderStub()
            case .expired: SAMLProviderStub(issued: -400, notBefore: -400, confirmedUntil: -1)
            case .conditionsExpired: SAMLProviderStub(issued: -400, notBefore: -400, conditionsUntil: -1)
            case .notYet: SAMLProviderStub(notBefore: 3600)
            case .future: SAMLProviderStub(issued: 3600)
            case .noAuthentication: SAMLProviderStub(hasAuthentication: false)
            case .sessionOver: SAMLProviderStub(sessionUntil: -1)
            }
        }

        var wrapping: SAMLProviderStub.Wrapping {
            switch self {
            case .unsigned: .unsigned
            case .otherKey: .signedByOther
            default: .signed
            }
        }
    }

    @Test("refuses a response with any single fault", arguments: Forgery.allCases)
    func forgeries(_ forgery: Forgery) async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let answer = try await signOn(browser, mobile.tokenURL("app", ["format": "json"]), as: forgery.provider, forgery.wrapping)
            #expect(answer.status == 401)
            #expect(answer.errorCode == MobileErrorKind.signOnFailed.code)
            #expect(browser.cookies[RelayBrowser.session] == nil)
        }
    }

    @Test("shows the provider's status if the login is denied")
    func providerRefuses() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let redirect = try await browser.get(mobile.tokenURL())
            let status = SAMLStatus(.responder, .authnFailed, "The person <refused>.")
            let returned = try await browser.post(Self.consumer, SAMLProviderStub().form(for: redirect, status: status))
            let page = try await browser.follow(returned)
            #expect(page.status == 401)
            #expect(page.mentions("AuthnFailed"))
            #expect(page.mentions("The person &lt;refused&gt;."))
        }
    }

    @Test("accepts a response once, in the browser of the login and in time")
    func bound() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let redirect = try await browser.get(mobile.tokenURL())
            let form = try SAMLProviderStub().form(for: redirect)
            let other = RelayBrowser(mobile)
            _ = try await other.get(mobile.tokenURL())
            #expect(try await other.post(Self.consumer, form).status == 401)
            #expect(try await browser.post(Self.consumer, form).status == 303)
            let again = try await browser.post(Self.consumer, form)
            #expect(again.status == 401)
            #expect(again.entry.errorCode == MobileErrorKind.signOnExpired.code)
            var unsolicited = form
            unsolicited.fields.removeAll { $0.name == "RelayState" }
            #expect(try await browser.post(Self.consumer, unsolicited).status == 401)

            let late = RelayBrowser(mobile)
            let waiting = try await late.get(mobile.tokenURL())
            let lateForm = try SAMLProviderStub().form(for: waiting)
            try await mobile.cloud.age(by: .seconds(1801))
            #expect(try await late.post(Self.consumer, lateForm).status == 401)
        }
    }

    @Test("lets two tabs log in concurrently")
    func tabs() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let first = try await browser.get(mobile.tokenURL())
            let second = try await browser.get(mobile.tokenURL("second"))
            let returned = try await browser.post(Self.consumer, SAMLProviderStub().form(for: first))
            let returnedToo = try await browser.post(Self.consumer, SAMLProviderStub(subject: "ann").form(for: second))
            #expect(try returned.location == MobileSandbox.origin + mobile.tokenURL())
            #expect(try returnedToo.location == MobileSandbox.origin + mobile.tokenURL("second"))
            // The session is that of the last login.
            #expect(try await mobile.holder(of: browser.follow(returned).shownToken) == "ann")
        }
    }

    @Test("issues a new cookie for a login, and ends the earlier session")
    func fixation() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let browser = RelayBrowser(mobile)
            browser.cookies[RelayBrowser.session] = "planted"
            _ = try await signOn(browser, mobile.tokenURL())
            let cookie = browser.cookies[RelayBrowser.session]
            #expect(cookie != "planted")
            let redirect = try await browser.get("/mobile/platform/sso/redirect/saml?clientID=\(try mobile.backend().clientID)")
            let returned = try await browser.post(Self.consumer, SAMLProviderStub(subject: "ann").form(for: redirect))
            let setting = returned.fields[values: .setCookie].joined()
            #expect(setting.contains("; HttpOnly; SameSite=Lax"))
            #expect(setting.contains("Path=/mobile/platform/sso"))
            browser.cookies[RelayBrowser.session] = cookie
            #expect(try await browser.get(mobile.tokenURL()).status == 302)
        }
    }

    @Test("has a form of another site posted again, so that the browser sends its cookie")
    func crossSiteForm() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let browser = RelayBrowser(mobile)
            let form = try SAMLProviderStub().form(for: await browser.get(mobile.tokenURL()))
            let cookies = browser.cookies
            browser.cookies = [:]
            let page = try await browser.post(Self.consumer, form)
            #expect(page.status == 200)
            #expect(page.action == Self.consumer)
            #expect(browser.cookies.isEmpty)
            browser.cookies = cookies
            let again: FormFields = [
                "SAMLResponse": page.hidden("SAMLResponse") ?? "", "RelayState": page.hidden("RelayState") ?? "",
                "again": page.hidden("again") ?? "",
            ]
            #expect(try await browser.post(Self.consumer, again).status == 303)
            browser.cookies = [:]
            #expect(try await browser.post(Self.consumer, again).status == 401)
        }
    }

    @Test("publishes metadata for the provider, and decrypts assertions (R17, R18)")
    func metadata() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn()) { mobile async throws in
            let answer = try await mobile.get("/mobile/platform/sso/redirect/saml/metadata")
            #expect(answer.status == 200)
            #expect(answer.fields[.contentType] == "application/samlmetadata+xml")
            let described = try ServiceProviderMetadata(answer.text).serviceProvider
            #expect(described.entityID == SAMLProviderStub.audience)
            #expect(described.assertionConsumerServices.map(\.location) == [SAMLProviderStub.consumer])
            let certificate = try #require(described.encryption?.certificate)
            let page = try await signOn(RelayBrowser(mobile), mobile.tokenURL(), .encrypted(certificate: certificate))
            #expect(try await mobile.holder(of: page.shownToken) == "joe")
        }
    }

    @Test("sends browsers to a provider of this process at their host")
    func ownProvider() async throws {
        let others = """
            identityProviders: [{name: "company", issuer: "https://login.company.example", people: [], saml: {serviceProviders: []}}]
            """
        try await MobileSandbox.withSignOn("{saml: {identityProvider: 'company'}}", others: others) { mobile async throws in
            let answer = try await mobile.send(.get, mobile.tokenURL(), authority: "127.0.0.1:9000")
            #expect(answer.location.hasPrefix("http://127.0.0.1:9000/idp/company/saml/sso?SAMLRequest="))
            let request = try XMLElement(parsing: SAMLProviderStub.request(answer).message)
            #expect(request.attribute("AssertionConsumerServiceURL") == "http://127.0.0.1:9000/mobile/platform/sso/redirect/saml")
            #expect(answer.fields[values: .setCookie].contains { $0.hasPrefix("ORA_OSFS_SESSION=") })
        }
    }

    @Test("does not start if the provider's metadata have expired")
    func overdueMetadata() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn(validUntil: "2020-01-01T00:00:00Z")) { mobile async throws in
            let answer = try await mobile.get(mobile.tokenURL())
            #expect(answer.status == 403)
            #expect(answer.mentions("2020-01-01T00:00:00Z"))
        }
    }
}
