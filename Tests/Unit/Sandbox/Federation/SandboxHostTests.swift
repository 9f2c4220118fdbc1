import Testing

@testable import Federation

@Suite("Host names of sandboxes")
struct SandboxHostTests {
    private let names = HostNames(aliases: ["cloud.example", "sandbox.example", "10.0.0.7"])

    @Test(
        "have the name before the label `sandbox`, which is right before a name of the process",
        arguments: [
            ("a.sandbox.localhost", "a", "localhost", false), ("box.a.sandbox.localhost", "a", "localhost", true),
            ("box.s3.a.sandbox.cloud.example", "a", "cloud.example", true), ("a.sandbox.virga", "a", "virga", false),
            ("a.sandbox.host.docker.internal", "a", "host.docker.internal", false),
            ("a.sandbox.sandbox.example", "a", "sandbox.example", false), ("sandbox.sandbox.localhost", "sandbox", "localhost", false),
            ("x.sandbox.a.sandbox.localhost", "a", "localhost", true), ("x.sandbox.sandbox.a.sandbox.localhost", "a", "localhost", true),
        ])
    func found(host: String, name: String, base: String, hasLabels: Bool) throws {
        let found = try #require(names.sandboxHost(host))
        #expect(found.name == name)
        #expect(found.base == base)
        #expect(found.hasLabels == hasLabels)
        #expect(found.sandboxBase == "\(name).sandbox.\(base)")
    }

    @Test(
        "are no others",
        arguments: [
            "localhost", "sandbox.localhost", ".sandbox.localhost", "x.sandbox.s3.localhost", "a.sandbox.elsewhere.example",
            "a.sandbox.", "a.sandbox", "sandbox", "", "127.0.0.1", "asandbox.localhost", "a.sandboxes.localhost", "sandbox.example",
        ])
    func notFound(host: String) { #expect(names.sandboxHost(host) == nil) }

    @Test("belong to the sandbox itself and to those that it was copied from")
    func own() throws {
        let names = names.names(of: "a", ancestors: ["template"])
        for host in ["a.sandbox.localhost", "box.a.sandbox.localhost", "template.sandbox.localhost", "A.Sandbox.LocalHost", "localhost"] {
            #expect(names.contains(host), "\(host)")
        }
        for host in ["b.sandbox.localhost", "box.b.sandbox.cloud.example"] { #expect(!names.contains(host), "\(host)") }
        #expect(!self.names.contains("a.sandbox.localhost"))
    }

    @Test("are the parent names of the sandbox's services and buckets")
    func bases() {
        let names = names.names(of: "a", ancestors: [])
        #expect(names.base(of: "box.a.sandbox.localhost") == "a.sandbox.localhost")
        #expect(names.base(of: "a.sandbox.localhost") == nil)
        #expect(names.base(of: "box.localhost") == "localhost")
    }

    @Test("A port of another sandbox makes an address foreign, whatever the host")
    func ports() throws {
        var names = names.names(of: "a", ancestors: ["template"])
        names.sandboxOfPort = { [4600: "a", 4601: "b", 4602: "template"][$0] }
        for (url, isOwn) in [
            ("http://127.0.0.1:4600/idp/x", true), ("http://127.0.0.1:4601/idp/x", false), ("http://127.0.0.1:4602/idp/x", true),
            ("http://127.0.0.1:4566/idp/x", true), ("http://a.sandbox.localhost:4601/", false), ("http://b.sandbox.localhost:4566/", false),
            ("https://localhost", true), ("http://elsewhere.example:4600", false),
        ] { #expect(names.contains(try #require(Origin(url: url))) == isOwn, "\(url)") }
        #expect(names.path(ofOwn: "http://127.0.0.1:4601/idp/x") == nil)
        #expect(names.path(ofOwn: "http://127.0.0.1:4600/idp/x") == "/idp/x")
    }

    @Test("are in the URLs that a sandbox gives of itself")
    func urls() {
        #expect(names.url(of: "a", at: "http://127.0.0.1:4566") == "http://a.sandbox.localhost:4566")
        #expect(names.url(of: "a", at: "https://10.0.0.7") == "https://a.sandbox.localhost")
        let published = HostNames(publicURL: "https://c.example:8443")
        #expect(published.url(of: "a", at: "http://127.0.0.1:4566") == "https://a.sandbox.c.example:8443")
        #expect(published.names(of: "a", ancestors: []).publicURL == "https://a.sandbox.c.example:8443")
    }
}
