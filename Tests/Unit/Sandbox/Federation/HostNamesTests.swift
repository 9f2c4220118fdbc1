import Testing

@testable import Federation

@Suite("Names of this process")
struct HostNamesTests {
    @Test(
        "include loopback addresses, localhost, names of one label and aliases",
        arguments: [
            ("localhost", true), ("LOCALHOST", true), ("app.localhost", true), ("127.0.0.1", true), ("127.1.2.3", true), ("[::1]", true),
            ("virga", true), ("host.docker.internal", true), ("cloud.test", true), ("Cloud.Test", true), ("public.example", true),
            ("evil.example", false), ("127.evil.example", false), ("127.0.0.1.evil.example", false), ("127.0.0.256", false),
            ("10.0.0.1", false), ("[::2]", false), ("localhost.evil.example", false), ("notlocalhost.example", false),
        ])
    func contains(host: String, isOurs: Bool) {
        let names = HostNames(publicURL: "https://public.example:8443/x", aliases: ["cloud.test"])
        #expect(names.contains(host) == isOurs)
    }

    @Test(
        "are in a valid host and port",
        arguments: [
            ("", true), ("a", true), ("a:1", true), ("a:", true), ("my_bucket.s3.localhost:4566", true), ("[::1]", true),
            ("[::1]:80", true),
            ("[::ffff:127.0.0.1]", true), ("127.0.0.1:80", true), ("evil.example/.localhost", false), ("evil.example#.localhost", false),
            ("evil.example?.localhost", false), ("127.0.0.1:1, evil", false), ("u@localhost", false), ("a\\.localhost", false),
            ("a b.localhost", false), ("a,b.localhost", false), ("a%2f.localhost", false), ("a\u{301}.localhost", false),
            (":80", false),
            ("[::1", false), ("[]", false), ("[::1]x", false), ("[x]", false), ("a:b", false), ("a:1:2", false),
            ("\u{212A}.localhost", false), ("a:65535", true), ("a:00080", true), ("a:65536", false), ("127.0.0.1:99999", false),
            ("[::1]:65536", false), ("a:18446744073709551617", false),
        ])
    func authorities(text: String, isValid: Bool) {
        #expect(Authority.isValid(text) == isValid)
        if !isValid { #expect(!HostNames(aliases: []).contains(text)) }
    }

    @Test(
        "are removed from the start of a URL",
        arguments: [
            ("http://LocalHost:4566/idp/x?y", "localhost", "/idp/x?y"), ("https://[::1]:1/a", "[::1]", "/a"), ("https://a.b", "a.b", ""),
        ])
    func origins(url: String, host: String, path: String) throws {
        let origin = try #require(Origin(url: url))
        #expect(origin.host == host)
        #expect(origin.path == path)
    }

    @Test("are not removed from other texts", arguments: ["", "localhost", "ftp://x", "http://", "http:///x", "http://u@h/", "HTTP"])
    func noOrigin(url: String) { #expect(Origin(url: url) == nil) }

    @Test("know the web console's callback by its exact address, while the console is on")
    func consoleCallback() {
        var names = HostNames()
        let own = "http://localhost:4566/_virga/ui/callback"
        #expect(!names.isConsoleCallback(own, at: "localhost:4566", state: nil))
        names.hasConsole = true
        #expect(names.isConsoleCallback(own, at: "localhost:4566", state: nil))
        for other in [
            own + "/", own + "?x=1", own + "#x", "http://localhost:4567/_virga/ui/callback", "http://evil.example/_virga/ui/callback",
            "http://localhost:4566/_virga/ui/", "javascript:alert(1)", "",
        ] {
            #expect(!names.isConsoleCallback(other, at: "localhost:4566", state: nil))
        }
        #expect(!names.isConsoleCallback("http://evil.example/_virga/ui/callback", at: "evil.example", state: nil))
        #expect(!names.isConsoleCallback("http://box.localhost:4566/_virga/ui/callback", at: "box.localhost:4566", state: nil))
        names.consolePort = { 4567 }
        #expect(names.isConsoleCallback("http://localhost:4567/_virga/ui/callback", at: "localhost:4566", state: nil))
        // Browsers read the first host as evil.example, and other machines may have the name of the second.
        for other in ["http://evil.example\\.localhost:4567", "http://evil:4567", "http://a.localhost:4567", "http://127.0.0.1:4567"] {
            #expect(!names.isConsoleCallback("\(other)/_virga/ui/callback", at: "localhost:4566", state: nil), "\(other)")
        }
    }

    @Test("know the callback at a mapped port by the state of the login alone")
    func mappedConsoleCallback() {
        var names = HostNames()
        (names.hasConsole, names.consolePort) = (true, { 4567 })
        names.isConsoleState = { $0 == "proof of \($1)" }
        let mapped = "http://localhost:14567/_virga/ui/callback"
        #expect(!names.isConsoleCallback(mapped, at: "localhost:4566", state: nil))
        #expect(!names.isConsoleCallback(mapped, at: "localhost:4566", state: "proof of http://localhost:1/_virga/ui/callback"))
        #expect(names.isConsoleCallback(mapped, at: "localhost:4566", state: "proof of \(mapped)"))
        // A proof is valid at no other host than the one that the login addresses, and at no other path.
        for other in ["http://evil.example:14567/_virga/ui/callback", "http://evil:14567/_virga/ui/callback", "http://localhost:14567/"] {
            #expect(!names.isConsoleCallback(other, at: "localhost:4566", state: "proof of \(other)"), "\(other)")
        }
        names.hasConsole = false
        #expect(!names.isConsoleCallback(mapped, at: "localhost:4566", state: "proof of \(mapped)"))
    }
}
