import Cloud
import Federation
import HTTPTypes
import NIOCore
import Seeds
import Testing

@testable import Calls

@Suite("The source of a request")
struct RequestSourceTests {
    private static let agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"

    struct Row: Sendable, CustomTestStringConvertible {
        var fields: [String: String]
        var source: RequestSource
        var authority = "localhost:4566"

        var testDescription: String { "\(fields.sorted { $0.key < $1.key }) at \(authority) → \(source)" }
    }

    static let rows = [
        Row(fields: [:], source: .program),
        Row(fields: ["User-Agent": "curl/8.5.0", "Accept": "text/html"], source: .program),
        // Node's fetch sends only this field.
        Row(fields: ["Sec-Fetch-Mode": "cors", "User-Agent": "node"], source: .program),
        Row(fields: ["User-Agent": agent], source: .browser),
        Row(fields: ["User-Agent": agent, "Sec-Fetch-Site": "none"], source: .person),
        Row(fields: ["Sec-Fetch-Site": "same-origin", "Origin": "http://localhost:4566"], source: .ownPage),
        Row(fields: ["Sec-Fetch-Site": "same-origin", "Origin": "http://proxy.example"], source: .ownPage),
        Row(fields: ["Sec-Fetch-Site": "cross-site"], source: .foreignPage(origin: nil)),
        Row(
            fields: ["Sec-Fetch-Site": "same-site", "Origin": "http://localhost:8765"],
            source: .foreignPage(origin: "http://localhost:8765")),
        // A document in a sandboxed frame.
        Row(fields: ["Sec-Fetch-Site": "cross-site", "Origin": "null"], source: .foreignPage(origin: "null")),
        // Browsers send no Sec-Fetch fields to plain HTTP hosts other than loopback.
        Row(fields: ["Origin": "http://virga:4566"], source: .ownPage, authority: "virga:4566"),
        Row(fields: ["Origin": "http://VIRGA:4566"], source: .ownPage, authority: "Virga:4566"),
        Row(fields: ["Origin": "https://virga"], source: .ownPage, authority: "virga"),
        Row(fields: ["Origin": "http://virga:8765"], source: .foreignPage(origin: "http://virga:8765"), authority: "virga:4566"),
        Row(fields: ["Origin": "null"], source: .foreignPage(origin: "null"), authority: "virga:4566"),
        // Old browsers report the page alone, and pages may report their origin instead of their URL.
        Row(fields: ["User-Agent": agent, "Referer": "http://virga:4566/page?x"], source: .ownPage, authority: "virga:4566"),
        Row(fields: ["User-Agent": agent, "Referer": "HTTPS://Virga/"], source: .ownPage, authority: "virga"),
        Row(
            fields: ["User-Agent": agent, "Referer": "https://evil.example/page?virga:4566"],
            source: .foreignPage(origin: "https://evil.example"), authority: "virga:4566"),
        Row(
            fields: ["User-Agent": agent, "Referer": "http://virga:8765/"], source: .foreignPage(origin: "http://virga:8765"),
            authority: "virga:4566"),
        Row(fields: ["User-Agent": agent, "Referer": "about:blank"], source: .foreignPage(origin: "null"), authority: "virga:4566"),
        Row(
            fields: ["User-Agent": agent, "Referer": "http://virga:4566@evil/"], source: .foreignPage(origin: "null"),
            authority: "virga:4566"),
        Row(fields: ["User-Agent": agent, "Referer": ""], source: .browser, authority: "virga:4566"),
        Row(fields: ["Referer": "https://evil.example/"], source: .foreignPage(origin: "https://evil.example")),
        Row(fields: ["Referer": "http://localhost:4566/"], source: .program),
        // What newer browsers report goes first.
        Row(
            fields: ["Origin": "http://virga:4566", "Referer": "https://evil.example/"], source: .ownPage, authority: "virga:4566"),
        Row(fields: ["Origin": "null", "Referer": "http://virga:4566/"], source: .foreignPage(origin: "null"), authority: "virga:4566"),
        Row(fields: ["Sec-Fetch-Site": "same-origin", "Referer": "https://proxy.example/"], source: .ownPage),
        Row(fields: ["User-Agent": agent, "Sec-Fetch-Site": "none", "Referer": "https://evil.example/"], source: .person),
        Row(fields: ["Origin": "http://virga:4566@evil"], source: .foreignPage(origin: "http://virga:4566@evil"), authority: "virga:4566"),
    ]

    private func withCall(
        _ fields: HTTPFields, authority: String, names: HostNames = HostNames(), seed: String = "{}", _ test: (Call) -> Void
    ) async throws {
        let seed = try SeedFile(name: "test", text: Array(seed.utf8)).decode()
        let cloud = try await Cloud.open(folder: nil, seeds: [seed])
        let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/", headerFields: fields)
        test(
            Call(
                request: Request(head: head, body: RequestBody(buffer: ByteBuffer())), peer: nil, isSecure: false, cloud: cloud,
                names: names))
        await cloud.close()
    }

    @Test("is read from the headers that browsers send", arguments: rows)
    func source(row: Row) async throws {
        var fields = HTTPFields()
        for (name, value) in row.fields { fields[try #require(HTTPField.Name(name))] = value }
        try await withCall(fields, authority: row.authority) { #expect($0.source == row.source) }
    }

    @Test(
        "depends on whether the host is one of this process",
        arguments: [
            ("localhost", true), ("127.0.0.1:4566", true), ("192.168.1.5:4566", true), ("[::1]:4566", true), ("virga:4566", true),
            ("box.localhost", true), ("cloud.test", true), ("box.cloud.test", true), ("s3.amazonaws.com", true), ("files.example", true),
            ("evil.example:4566", false), ("1.2.3.4.evil.example", false), ("amazonaws.com.evil.example", false),
        ])
    func knownHosts(authority: String, isKnown: Bool) async throws {
        let seed = #"{accounts: [{id: "000000000000", buckets: [{name: "files.example"}]}]}"#
        var names = HostNames(aliases: ["cloud.test"])
        names.emulates = { $0.hasSuffix(".amazonaws.com") }
        try await withCall([:], authority: authority, names: names, seed: seed) { #expect($0.isAtKnownHost == isKnown) }
    }
}
