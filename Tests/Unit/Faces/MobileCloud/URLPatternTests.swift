import Testing

@testable import MobileCloudFace

/// The examples of the chapter, one by one, and cases that it leaves open.
@Suite("URL patterns")
struct URLPatternTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var patterns: String
        var url: String
        var isAllowed: Bool

        init(_ patterns: String, _ url: String, _ isAllowed: Bool) {
            self.patterns = patterns
            self.url = url
            self.isAllowed = isAllowed
        }

        var testDescription: String { "\(url) by \(patterns): \(isAllowed)" }
    }

    @Test(
        "of redirects match as the chapter says (R111, R112, R113, R114, R116, X16)",
        arguments: [
            Example("https://www.example.com", "https://www.example.com/path1", true),
            Example("https://www.example.com", "https://www.example.com/path1/path2", true),
            Example("http://www.example.com/path1", "http://www.example.com/path1", true),
            Example("http://www.example.com/path1", "http://www.example.com/path1/path2", true),
            Example("http://www.example.com/path1", "http://www.example.com/other-path", false),
            Example("http://www.example.com", "http://www.example.com:80", true),
            Example("http://www.example.com", "http://www.example.com", true),
            Example("http://www.example.com", "http://www.example.com:8080", false),
            Example("https://example*:8080", "https://example-source:8080", true),
            Example("https://example*:8080", "https://example.com:8080", false),
            Example("https://example*:8080", "https://example.imposter.com:8080", false),
            Example("https://www.example.com, https://*.example2.com", "https://www.example.com/apps/customer", true),
            Example("https://www.example.com, https://*.example2.com", "https://shop.example2.com/apps", true),
            Example("https://www.example.com, https://*.example2.com", "https://example.com/apps/customer", false),
        ])
    func redirects(_ example: Example) {
        #expect(URLPatterns(example.patterns).allows(redirect: example.url) == example.isAllowed)
    }

    @Test(
        "of origins match as the chapter says (R149, R150, R151, R152, R153, R154)",
        arguments: [
            Example("https://*.example.com:8080", "https://example.example.com:8080", true),
            Example("https://*.example.com:*", "https://example.example.com:8080", true),
            Example("https://ex*.example.com:*", "https://example.example.com:8080", true),
            Example("https://*.example.com*", "https://example.example.com:8080", false),
            Example("https://example*.oracle.com:*", "https://example.example.com:8080", false),
            Example("http://www.example.com/", "http://www.example.com", false),
            Example("http://www.example.com/path", "http://www.example.com", false),
            Example("http://www.example.com", "http://www.example.com", true),
            Example("http://www.example.com:80", "http://www.example.com", true),
            Example("https://www.example.com", "https://www.example.com:443", true),
            Example("http://www.example.com", "http://www.example.com:443", false),
            Example("http://localhost:*", "http://localhost:3000", true),
            Example("http://localhost:*", "http://localhost", true),
            Example("http://a.example,https://b.example", "https://b.example", true),
            Example("disallow", "https://www.example.com", false),
            Example("", "https://www.example.com", false),
            Example("*", "https://www.example.com", false),
            Example("www.example.com", "https://www.example.com", false),
            Example("https://*.example.com", "https://a.b.example.com", false),
            Example("https://*.example.com", "https://.example.com", false),
            Example("https://www.example.com", "null", false),
            Example("https://www.example.com", "https://www.example.com/", false),
        ])
    func origins(_ example: Example) {
        #expect(URLPatterns(example.patterns).allows(origin: example.url) == example.isAllowed)
    }

    @Test(
        "compare paths by segments, without query and fragment (R113, R115, R117, X17, X18)",
        arguments: [
            Example("https://www.example.com/path1", "https://www.example.com/path10", false),
            Example("https://www.example.com/path1/", "https://www.example.com/path1", true),
            Example("https://www.example.com/path1", "https://www.example.com/path1/?a=/path2#c", true),
            Example("https://www.example.com/path1", "https://www.example.com?/path1", false),
            Example("https://www.example.com/path1", "https://www.example.com/PATH1", false),
            Example("https://WWW.example.com/path1", "HTTPS://www.EXAMPLE.com/path1", true),
            Example("https://www.example.com/app*", "https://www.example.com/app", true),
            Example("https://www.example.com/app*", "https://www.example.com/apps/x", true),
            Example("https://www.example.com/app*", "https://www.example.com/app.old", false),
            Example("https://www.example.com/*/end", "https://www.example.com/a/end", true),
            Example("https://www.example.com/*/end", "https://www.example.com/a/b/end", false),
            Example("https://www.example.com/", "https://www.example.com/any", true),
            Example("https://ex*m*e.com", "https://example.com", true),
        ])
    func paths(_ example: Example) {
        #expect(URLPatterns(example.patterns).allows(redirect: example.url) == example.isAllowed)
    }

    @Test(
        "need a scheme and compare it (R118)",
        arguments: [
            Example("www.example.com", "https://www.example.com/a", false),
            Example("http://www.example.com", "https://www.example.com/a", false),
            Example("myapp://callback", "myapp://callback/done", true),
            Example("myapp://callback", "myapp://other", false),
        ])
    func schemes(_ example: Example) {
        #expect(URLPatterns(example.patterns).allows(redirect: example.url) == example.isAllowed)
    }

    @Test(
        "refuse URLs that browsers read differently",
        arguments: [
            "https://www.example.com@evil.example/", "https://www.example.com:x@evil.example/",
            "https://evil.example\\@www.example.com/", "https://www.example.com\\.evil.example/",
            "https://www.example.com/path1/../other", "https://www.example.com/path1/%2e%2e/other",
            "https://www.example.com /path1", "https://www.example.com/path1\n",
            "https://www.example.com:/path1", "//www.example.com/path1",
            "https:www.example.com/path1", "https://www.example.com:443:8080/path1",
            "https://www.exämple.com/path1", "/path1",
            "", "https://*/path1",
            "https://www.example.com%2f.evil.example/path1",
        ])
    func plain(_ address: String) {
        let patterns = URLPatterns("https://www.example.com/path1,https://*.example.com,https://*.evil.example,https://*")
        #expect(!patterns.allows(redirect: address))
        #expect(URLPatterns("https://www.example.com/path1").allows(redirect: "https://www.example.com/path1"))
    }
}
