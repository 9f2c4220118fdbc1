import Testing

@testable import Federation

@Suite("Clients of IAM Identity Center")
struct CenterClientTests {
    @Test(
        "register redirect URIs that are https or loopback",
        arguments: ["https://app.example/callback", "https://app.example:8443/", "http://127.0.0.1/callback", "http://[::1]:5000/"])
    func redirects(uri: String) { #expect(CenterClient.isRedirectURI(uri)) }

    @Test(
        "register no other redirect URIs",
        arguments: [
            "http://app.example/", "http://[::1]a80/", "http://127.0.0.1:05000/", "http://127.0.0.1:0/", "http://127.0.0.1:65536/",
            "http://127.0.0.1:/", "https://app.example:x/", "https://[::1]a80/", "https://app.example/#a", "https://a b/",
        ])
    func otherRedirects(uri: String) { #expect(!CenterClient.isRedirectURI(uri)) }

    @Test("have names without characters that are not seen")
    func names() {
        #expect(CenterClient.isName("botocore-client-Übung 1"))
        for name in ["a\u{202E}b", "a\u{200B}b", "a\nb", "a\u{2028}b", String(repeating: "a", count: 257)] {
            #expect(!CenterClient.isName(name), "\(name)")
        }
    }
}
