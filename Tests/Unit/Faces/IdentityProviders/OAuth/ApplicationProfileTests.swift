import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@Suite("An application's profile (OpenID Connect Dynamic Client Registration 1.0 section 2)")
struct ApplicationProfileTests {
    private func pages(_ logo: String, _ policy: String) async throws -> [Answer] {
        let cloud = try await Company.sandbox { metadata in
            metadata.logoURI = logo
            metadata.policyURI = policy
            metadata.tosURI = "https://app.example/terms"
            metadata.clientURI = "https://app.example/"
        }
        let visitor = Visitor(cloud)
        let login = try await visitor.get("company/authorize", Requests.company)
        return [login, try await visitor.press("person", "alice", on: login)]
    }

    @Test("its logo and its links to home page, policy and terms are on the login and consent pages")
    func shown() async throws {
        for page in try await pages("https://cdn.example:8443/logo.png?a=1&b=2", "https://app.example/privacy?lang=<en>") {
            #expect(page.isLogin || page.isConsent)
            #expect(page.body.contains("<img src=\"https://cdn.example:8443/logo.png?a=1&amp;b=2\""))
            #expect(page.body.contains("href=\"https://app.example/privacy?lang=&lt;en&gt;\""))
            #expect(page.body.contains("href=\"https://app.example/terms\""))
            #expect(page.body.contains("href=\"https://app.example/\""))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("; img-src https://cdn.example:8443"))
            #expect(policy.contains("default-src 'none'"))
        }
    }

    @Test("addresses that are not http URLs are omitted")
    func harmless() async throws {
        for page in try await pages("javascript:alert(1)", "javascript:alert(2)") {
            #expect(!page.body.contains("javascript:"))
            #expect(!page.body.contains("<img"))
            #expect(page.body.contains("/terms"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("img-src") == false)
        }
    }
}
