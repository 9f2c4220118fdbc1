import Calls
import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("A browser's request for a token")
struct BrowserTokenRequestTests {
    private func run(_ test: (MobileSandbox) async throws -> Void) async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn(), test)
    }

    private func expect(
        _ kind: MobileErrorKind, at url: String, in mobile: MobileSandbox, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await mobile.get(url + (url.contains("?") ? "&format=json" : "?format=json"))
        #expect(answer.status == kind.status.code, sourceLocation: sourceLocation)
        #expect(answer.errorCode == kind.code, sourceLocation: sourceLocation)
        #expect(answer.fields[values: .setCookie].isEmpty, sourceLocation: sourceLocation)
        let page = try await mobile.get(url)
        #expect(page.status == kind.status.code, sourceLocation: sourceLocation)
        #expect(page.mentions(kind.code), sourceLocation: sourceLocation)
    }

    @Test("requires the client of a backend with single sign-on (R13, R102, R104, R108, X13)")
    func clients() async throws {
        try await run { mobile async throws in
            try await expect(.unknownBackend, at: "/mobile/platform/sso/token?clientID=unknown", in: mobile)
            try await expect(.unknownBackend, at: "/mobile/platform/sso/token?clientID=", in: mobile)
            try await expect(.authenticationMethodOff, at: mobile.tokenURL("off"), in: mobile)
            try await expect(.authenticationMethodOff, at: mobile.tokenURL("social"), in: mobile)
            try await expect(.singleSignOnNotSetUp, at: mobile.tokenURL("bare"), in: mobile)
            #expect(try await mobile.get(mobile.tokenURL("bare")).mentions("SSO is not set up for the Oracle Cloud account."))
            let twice = try mobile.tokenURL() + "&clientID=another"
            try await expect(.malformedRequest, at: twice, in: mobile)
            // Without OAuth Consumer, single sign-on is off as well.
            try await mobile.cloud.edit { directory in
                guard var backend = directory.mobile.backends["app(1.0)"] else { return }
                backend.allowsOAuth = false
                directory.put(.mobile(.backend(backend)))
            }
            try await expect(.authenticationMethodOff, at: mobile.tokenURL(), in: mobile)
        }
    }

    @Test("shows errors on pages that cannot be framed")
    func pages() async throws {
        try await run { mobile async throws in
            let page = try await mobile.get("/mobile/platform/sso/token?clientID=%3Cscript%3E")
            #expect(page.status == MobileErrorKind.unknownBackend.status.code)
            #expect(page.fields[.contentType] == "text/html; charset=utf-8")
            #expect(page.mentions("&lt;script&gt;"))
            #expect(!page.mentions("<script>"))
            #expect(page.fields[.frameOptions] == "DENY")
            #expect(page.fields[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(page.entry.errorCode == MobileErrorKind.unknownBackend.code)
        }
    }

    @Test(
        "posts only to listed addresses (R111–R118, X16–X18)",
        arguments: [
            ("https://www.example.com/app", true), ("https://www.example.com/app/deep?a=b", true),
            ("https://www.example.com:443/app", true),
            ("https://www.example.com/application", false), ("https://www.example.com/other", false), ("http://www.example.com/app", false),
            ("https://www.example.com:8443/app", false), ("https://a.example2.com/any/path", true), ("https://a.b.example2.com", false),
            ("https://example2.com", false), ("http://localhost:8080/cb", true), ("http://localhost/cb", false),
            // URLs that browsers read differently.
            ("https://www.example.com/app/../other", false), ("https://www.example.com/app/%2e%2E/other", false),
            ("https://evil%2ecom%2f.example2.com", false), ("https://www.example.com@mallory.example/app", false),
            ("https://mallory.example", false),
        ])
    func redirects(redirectURI: String, isAllowed: Bool) async throws {
        try await run { mobile async throws in
            let url = try mobile.tokenURL("app", ["redirect_uri": redirectURI])
            if isAllowed {
                #expect(try await mobile.get(url).status == 302)
            } else {
                try await expect(.redirectNotAllowed, at: url, in: mobile)
            }
        }
    }

    @Test(
        "refuses addresses that are not URLs (R118)",
        arguments: [
            "", "www.example.com/app", "//www.example.com/app", "javascript:alert(1)", "https://www.example.com/app#fragment",
            "https://www.example.com\\@mallory.example/app", "https://www.example.com/app\"onload=", "com.example.app://callback",
            "https://www.example.com/app\r\nX: y",
        ])
    func malformedRedirects(redirectURI: String) async throws {
        try await run { mobile async throws in
            try await expect(.malformedRequest, at: mobile.tokenURL("app", ["redirect_uri": redirectURI]), in: mobile)
        }
    }

    @Test("posts nowhere unless the policy is set, which is the default (R111)")
    func noPolicy() async throws {
        try await MobileSandbox.run(
            "realms: [{name: 'Default', signOn: \(SAMLProviderStub.signOn())}], backends: [{name: 'app', sso: true}]"
        ) { mobile async throws in
            let url = try mobile.tokenURL("app", ["redirect_uri": "https://www.example.com"])
            try await expect(.redirectNotAllowed, at: url, in: mobile)
        }
    }

    @Test("shares its path with the token exchange, which needs a bearer token (X3, X4)")
    func dispatch() async throws {
        try await run { mobile async throws in
            for path in ["token", "exchange-token"] {
                let url = try mobile.tokenURL(path: path)
                let call = try await mobile.get(url, [.authorization: "bearer no-token"])
                #expect(call.status == 400)
                #expect(call.fields[.location] == nil)
                #expect(call.fields[.contentType]?.hasPrefix("application/json") == true)
                #expect(try await mobile.get(url + "&_=1470000000000&unknown=1").status == 302)
                let neither = try await mobile.get("/mobile/platform/sso/\(path)?format=json")
                #expect(neither.status == 400)
                #expect(neither.errorCode == MobileErrorKind.missingBackendID.code)
                let posted = try await mobile.send(.post, url)
                #expect(posted.status == 405)
                #expect(posted.fields[.allow] == "GET, HEAD, OPTIONS")
            }
            #expect(try await mobile.get("/mobile/platform/sso/nothing").status == 404)
        }
    }

    @Test("starts a login at the redirect address too, for the named app or the only one")
    func redirectAddress() async throws {
        try await run { mobile async throws in
            for path in ["/mobile/platform/sso/redirect", "/mobile/platform/sso/redirect/saml"] {
                let named = try await mobile.get("\(path)?clientID=\(try mobile.backend("second").clientID)")
                #expect(named.status == 302)
                #expect(named.location.hasPrefix(SAMLProviderStub.signOn))
                try await expect(.malformedRequest, at: path, in: mobile)
            }
        }
        try await MobileSandbox.run(
            "realms: [{name: 'Default', signOn: \(SAMLProviderStub.signOn())}], backends: [{name: 'app', sso: true}, {name: 'b'}]"
        ) { mobile async throws in
            #expect(try await mobile.get("/mobile/platform/sso/redirect/saml").status == 302)
        }
        let provider = OpenIDProviderStub()
        try await MobileSandbox.withSignOn(OpenIDProviderStub.signOn()) { mobile async throws in
            var mobile = mobile
            mobile.outbound = { try provider.answer($0) }
            let clientID = try mobile.backend().clientID
            #expect(try await mobile.get("/mobile/platform/sso/redirect?clientID=\(clientID)").status == 302)
            try await expect(.singleSignOnNotSetUp, at: "/mobile/platform/sso/redirect/saml?clientID=\(clientID)", in: mobile)
        }
    }

    @Test("requires a SAML form at the consumer")
    func consumerForms() async throws {
        try await run { mobile async throws in
            let path = "/mobile/platform/sso/redirect/saml"
            #expect(try await mobile.post(path, [:]).status == 400)
            #expect(try await mobile.post(path, ["SAMLResponse": "no base 64!"]).status == 400)
            #expect(try await mobile.post(path, ["SAMLResponse": "QQ==", "RelayState": "a", "again": "1"]).status == 401)
            #expect(try await mobile.send(.post, path, "SAMLResponse=QQ==&SAMLResponse=QQ==").status == 415)
            #expect(try await mobile.send(.put, path).status == 405)
            let large = try await mobile.post(path, ["SAMLResponse": String(repeating: "A", count: 300 << 10)])
            #expect(large.status == MobileErrorKind.bodyTooLarge.status.code)
        }
    }
}
