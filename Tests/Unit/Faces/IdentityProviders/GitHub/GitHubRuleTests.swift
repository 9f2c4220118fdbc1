import Directory
import Testing
import WireFormats

@testable import IdentityProviders

@Suite("GitHub's rules for redirect URIs and scopes")
struct GitHubRuleTests {
    private func isAllowed(_ uri: String, for callback: String) -> Bool {
        let client = Client(id: "a", secret: nil, name: "a", redirectURIs: [callback], applicationID: nil)
        return GitHubRedirect.isAllowed(uri, for: client)
    }

    @Test(
        "a redirect URI is at or below the callback URL",
        arguments: [
            "http://example.com/path", "http://example.com/path/subdir/other", "http://oauth.example.com/path",
            "http://oauth.example.com/path/subdir/other", "http://example.com:80/path", "http://EXAMPLE.com/path?x=y",
        ])
    func good(uri: String) {
        #expect(isAllowed(uri, for: "http://example.com/path"))
    }

    @Test(
        "another redirect URI is refused",
        arguments: [
            "http://example.com/bar", "http://example.com/", "http://example.com:8080/path", "http://oauth.example.com:8080/path",
            "http://example.org", "https://example.com/path", "http://example.com/pathology", "http://badexample.com/path",
            "http://example.com/path/../bar", "http://example.com/path/%2e%2E/bar", "http://example.com/path/..%2Fbar",
            "http://example.com/path/\\..\\bar", "http://example.com/path#x", "http://user@example.com/path",
            "http://example.com\\@evil.example/path", "javascript:alert(1)", "",
        ])
    func bad(uri: String) {
        #expect(!isAllowed(uri, for: "http://example.com/path"))
    }

    @Test("a loopback address may have any port")
    func loopback() {
        #expect(isAllowed("http://127.0.0.1:1234/path", for: "http://127.0.0.1/path"))
        #expect(isAllowed("http://localhost:1234/path", for: "http://localhost:8765/path"))
        #expect(isAllowed("http://[::1]:1234/path/sub", for: "http://[::1]/path"))
        #expect(!isAllowed("http://127.0.0.1:1234/other", for: "http://127.0.0.1/path"))
        #expect(!isAllowed("http://localhost/path", for: "http://127.0.0.1/path"))
        #expect(!isAllowed("http://evil.127.0.0.1/path", for: "http://127.0.0.1/path"))
    }

    @Test("other URIs are compared as a whole")
    func customScheme() {
        #expect(isAllowed("myapp://callback", for: "myapp://callback"))
        #expect(!isAllowed("myapp://callback/sub", for: "myapp://callback"))
        #expect(isAllowed("http://example.com/sub", for: "http://example.com"))
    }

    @Test("a scope includes others, which a token does not list")
    func scopes() {
        #expect(GitHubScope.normalized("admin:org read:org write:org gist") == ["admin:org", "gist"])
        #expect(GitHubScope.normalized("user:email,  user:email, nonsense") == ["user:email"])
        #expect(GitHubScope.meaning(of: "user:email") == "Read your mail addresses")
        #expect(GitHubScope.meaning(of: "nonsense") == "nonsense")
    }
}
