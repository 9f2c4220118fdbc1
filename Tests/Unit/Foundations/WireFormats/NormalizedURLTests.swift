import Testing
import WireFormats

@Suite("Normalized URLs (RFC 3986 section 6.2)")
struct NormalizedURLTests {
    @Test(
        "are the same for equivalent spellings",
        arguments: [
            ("HTTP://LocalHost:80/a", "http://localhost/a"), ("https://localhost:443", "https://localhost/"),
            ("https://localhost:80/", "https://localhost:80/"), ("http://localhost:/a", "http://localhost/a"),
            ("http://localhost:8080/%7euser/%2f%C3%a9", "http://localhost:8080/~user/%2F%C3%A9"),
            ("http://localhost/a/./b/../c", "http://localhost/a/c"), ("http://localhost/a/..", "http://localhost/"),
            ("http://localhost/a/%2E%2e/b/.", "http://localhost/b/"), ("http://localhost/../a", "http://localhost/a"),
            ("http://localhost/a//b/", "http://localhost/a//b/"), ("http://localhost/A?B=%7e#C", "http://localhost/A?B=%7e#C"),
            ("http://localhost/100%", "http://localhost/100%"), ("http://localhost/%4", "http://localhost/%4"),
            ("urn:example:A", "urn:example:A"), ("ftp://HOST/", "ftp://HOST/"), ("http:/a", "http:/a"), ("", ""),
        ])
    func normalForm(url: String, normal: String) {
        #expect(NormalizedURL.text(of: url) == normal)
        #expect(NormalizedURL.text(of: normal) == normal)
    }
}
