import Calls
import HTTPTypes
import NIOCore
import Testing

@testable import VirgaServer

@Suite("What proxies report about a client")
struct ForwardedTests {
    private static func client(
        _ fields: [(HTTPField.Name, String)], peer: String = "10.0.0.1", authority: String = "inner:4566", isSecure: Bool = false
    ) throws -> String {
        let proxies = try TrustedProxies(["10.0.0.0/8", "2001:db8::/32"])
        var headers = HTTPFields()
        for (name, value) in fields { headers.append(HTTPField(name: name, value: value)) }
        let request = Request(method: .get, target: "/", authority: authority, headers: headers, body: RequestBody())
        let address = try SocketAddress(ipAddress: peer, port: 1)
        try #require(proxies.contains(address))
        let client = proxies.client(of: request, peer: address, isSecure: isSecure)
        return "\(client.isSecure ? "https" : "http")://\(client.authority) \(client.address?.ipAddress ?? "-")"
    }

    @Test("is nothing if they report nothing")
    func nothing() throws {
        #expect(try Self.client([]) == "http://inner:4566 10.0.0.1")
        #expect(try Self.client([], isSecure: true) == "https://inner:4566 10.0.0.1")
    }

    @Test("replaces address, scheme and host")
    func legacy() throws {
        let fields: [(HTTPField.Name, String)] = [
            (.xForwardedFor, "192.0.2.1, 203.0.113.7 ,10.0.0.2"), (.xForwardedProto, "https"), (.xForwardedHost, "box.s1.example"),
            (.xForwardedPort, "8443"), (.forwarded, "for=203.0.113.7"),
        ]
        #expect(try Self.client(fields) == "https://box.s1.example:8443 203.0.113.7")
    }

    @Test("can lower the scheme, if the client used plain HTTP and the proxy TLS")
    func lower() throws {
        #expect(try Self.client([(.xForwardedProto, "http")], isSecure: true) == "http://inner:4566 -")
    }

    @Test(
        "completes a host without its port",
        arguments: [
            ("box.example", "https", "443", "https://box.example"), ("box.example", "https", "80", "https://box.example:80"),
            ("[::1]", "http", "8080", "http://[::1]:8080"), ("[::1]:9", "http", "8080", "http://[::1]:9"),
        ])
    func port(host: String, scheme: String, port: String, expected: String) throws {
        let fields: [(HTTPField.Name, String)] = [(.xForwardedHost, host), (.xForwardedProto, scheme), (.xForwardedPort, port)]
        #expect(try Self.client(fields).hasPrefix(expected + " "))
        #expect(try Self.client([(.xForwardedProto, scheme), (.xForwardedPort, port)], authority: host).hasPrefix(expected + " "))
    }

    @Test(
        "is read from the standard header, quoted or not",
        arguments: [
            ("for=203.0.113.7;proto=https;host=a.example", "https://a.example 203.0.113.7"),
            ("for=\"[2001:db9::1]:80\" ; host=\"a\\.example:1\"", "http://a.example:1 2001:db9::1"),
            ("for=203.0.113.7, for=10.0.0.3;proto=https", "http://inner:4566 203.0.113.7"),
            ("for=203.0.113.7:80;x=\"\\\"\"", "http://inner:4566 203.0.113.7"),
            ("for=unknown;proto=https", "https://inner:4566 -"),
        ])
    func standard(value: String, expected: String) throws { #expect(try Self.client([(.forwarded, value)]) == expected) }

    @Test(
        "names no host that the header Host could not name",
        arguments: [
            "a.example/b", "a.example?b", "a.example#b", "user@a.example", "a%2eexample", "a!b", "a$b", "a&b", "a'b", "a*b", "a+b", "a^b",
            "a`b", "a|b",
            "a\\b", "a b", "[a", "[::1", "::1]", "[]", "[g::1]", "[::1]x", "a[b]", ":80", "a:b", "a:99999", "a:80:80", "\u{e9}.example", "",
        ])
    func hosts(host: String) throws {
        let address: (HTTPField.Name, String) = (.xForwardedFor, "203.0.113.7")
        #expect(try Self.client([address, (.xForwardedHost, host)]) == "http://inner:4566 203.0.113.7")
        let quoted = host.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
        #expect(try Self.client([(.forwarded, "for=203.0.113.7;host=\"\(quoted)\"")]) == "http://inner:4566 203.0.113.7")
    }

    @Test(
        "leaves the client unknown without an address, or with different ones",
        arguments: [
            ([(.forwarded, "for=_hidden")], true), ([(.forwarded, "for=unknown;proto=https")], true), ([(.forwarded, "proto=https")], true),
            ([(.forwarded, "for=\"")], true), ([(.xForwardedFor, "unknown")], true), ([(.xForwardedFor, "203.0.113.9, unknown")], true),
            ([(.xForwardedHost, "a.example")], true), ([(.xForwardedFor, "127.0.0.1"), (.forwarded, "for=203.0.113.9")], true),
            ([(.xForwardedFor, "127.0.0.1"), (.forwarded, "\"")], true), ([], false), ([(.xForwardedFor, "127.0.0.1")], false),
            ([(.xForwardedFor, "unknown, 127.0.0.1")], false), ([(.xForwardedFor, "127.0.0.1"), (.forwarded, "for=127.0.0.1")], false),
        ] as [([(HTTPField.Name, String)], Bool)])
    func unknownClient(fields: [(HTTPField.Name, String)], isUnknown: Bool) throws {
        var headers = HTTPFields()
        for (name, value) in fields { headers.append(HTTPField(name: name, value: value)) }
        let request = Request(method: .get, target: "/", authority: "inner", headers: headers, body: RequestBody())
        let client = try TrustedProxies(["10.0.0.0/8"]).client(
            of: request, peer: SocketAddress(ipAddress: "10.0.0.1", port: 1), isSecure: false)
        #expect(client.isUnknown == isUnknown)
        #expect((client.address == nil) == isUnknown)
    }

    @Test(
        "is divided at commas, whatever a client places before them",
        arguments: ["\u{301}", "\u{200D}", "\u{600}", "\u{70F}", "\u{8E2}", "\u{D4E}", "\u{110BD}"])
    func joiners(joiner: String) throws {
        for text in ["x\(joiner), 203.0.113.9", "x,\(joiner), 203.0.113.9", "127.0.0.1\(joiner),203.0.113.9"] {
            #expect(try Self.client([(.xForwardedFor, text)]) == "http://inner:4566 203.0.113.9")
        }
        #expect(try Self.client([(.xForwardedFor, "203.0.113.9,\(joiner)127.0.0.1")]) == "http://inner:4566 -")
        #expect(try Self.client([(.forwarded, "for=x\(joiner), for=203.0.113.9")]) == "http://inner:4566 -")
        #expect(try Self.client([(.forwarded, "for=\"x\(joiner)\", for=203.0.113.9")]) == "http://inner:4566 203.0.113.9")
    }

    @Test("names no client if the client opened a quoted string", arguments: ["for=\"x, for=203.0.113.9", "for=\"x, for=203.0.113.9\""])
    func openQuote(text: String) throws { #expect(try Self.client([(.forwarded, text)]) == "http://inner:4566 -") }

    @Test("of any bytes is read without a crash")
    func anyBytes() throws {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("for=proto;host,\"\\[]: 0123456789.abcdef_é\t")
        for _ in 0..<5000 {
            let text = String((0..<Int.random(in: 0...40, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? " " })
            for name in [HTTPField.Name.forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto, .xForwardedPort] {
                let client = try Self.client([(name, text), (.xForwardedFor, text)])
                #expect(client.hasPrefix("http"))
            }
        }
    }

    @Test("counts only from the configured addresses", arguments: ["11.0.0.1", "192.0.2.1", "::1", "2001:db9::1"])
    func strangers(peer: String) throws {
        let proxies = try TrustedProxies(["10.0.0.0/8", "2001:db8::/32"])
        #expect(try !proxies.contains(SocketAddress(ipAddress: peer, port: 1)))
        #expect(!proxies.contains(nil))
        #expect(try proxies.contains(SocketAddress(ipAddress: "::ffff:10.9.9.9", port: 1)))
    }

    @Test("needs ranges without host bits", arguments: ["", "10.0.0.1/8", "10/8", "10.0.0.0/33", "2001:db8::1/64", "a.example"])
    func ranges(text: String) {
        #expect(throws: TrustedProxies.InvalidRange.self) { try TrustedProxies(["127.0.0.1", text]) }
    }
}
