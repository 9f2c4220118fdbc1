import Calls
import ControlFace
import HTTPTypes
import NIOCore
import Testing
import VirgaTesting

@testable import VirgaServer

/// What a request that names a sandbox looks like.
struct SenderOfATest: Sendable, CustomTestStringConvertible {
    var name: String
    var fields: HTTPFields = [:]
    var authority = "new.sandbox.localhost:4566"
    var address: String?
    var method = HTTPRequest.Method.get
    var isOwn = false

    var testDescription: String { name }

    private static let browser = "Mozilla/5.0 (X11; Linux x86_64)"

    static let program = SenderOfATest(name: "a program at the name")
    static let allPrograms: [SenderOfATest] = [
        program,
        SenderOfATest(name: "a program at a bucket of the sandbox", authority: "box.new.sandbox.localhost:4566"),
        SenderOfATest(name: "a program with the header", fields: [.virgaSandbox: "new"], authority: "127.0.0.1:4566"),
        SenderOfATest(name: "a program on this machine", address: "127.0.0.1", method: .put),
    ]
    /// What the page of another site can make a browser send, and what is not on this machine.
    static let foreignPages: [SenderOfATest] = [
        SenderOfATest(
            name: "an image of another site", fields: [.userAgent: browser, .secFetchSite: "cross-site", .secFetchMode: "no-cors"]),
        SenderOfATest(name: "a fetch of a neighbor", fields: [.origin: "http://localhost:3000", .secFetchSite: "same-site"]),
        SenderOfATest(name: "a form of a sandboxed document", fields: [.userAgent: browser, .origin: "null"], method: .post),
        SenderOfATest(name: "an old browser at another site", fields: [.userAgent: browser, .referer: "https://evil.example/"]),
        SenderOfATest(name: "a rebound page", fields: [.userAgent: browser, .virgaSandbox: "new"], authority: "evil.example:4566"),
        SenderOfATest(
            name: "a rebound page with metadata", fields: [.userAgent: browser, .virgaSandbox: "new", .secFetchSite: "same-origin"],
            authority: "evil.example:4566"),
    ]
    static let elsewhere: [SenderOfATest] = [
        SenderOfATest(name: "a navigation from another site", fields: navigation),
        SenderOfATest(name: "a browser over plain HTTP", fields: [.userAgent: browser], authority: "new.sandbox.virga:4566"),
        SenderOfATest(name: "a page of the same origin", fields: [.userAgent: browser, .secFetchSite: "same-origin"]),
        SenderOfATest(name: "a typed address", fields: [.userAgent: browser, .secFetchSite: "none", .secFetchMode: "navigate"]),
        SenderOfATest(name: "a program at a foreign host", fields: [.virgaSandbox: "new"], authority: "evil.example:4566"),
        SenderOfATest(name: "another machine", address: "192.0.2.1"),
        SenderOfATest(name: "a client behind an undeclared proxy", fields: [.xForwardedFor: "127.0.0.1"], address: "127.0.0.1"),
        SenderOfATest(name: "this process itself", isOwn: true),
    ]
    private static let navigation: HTTPFields = [
        .userAgent: browser, .secFetchSite: "cross-site", .secFetchMode: "navigate", .secFetchDest: "document",
    ]
}

@Suite("Opening sandboxes on demand")
struct SandboxOpeningTests {
    /// Sends a request to the entrance of a process.
    private func send(_ sender: SenderOfATest, to registry: SandboxRegistry) async throws -> Int {
        let request = Request(
            method: sender.method, target: "/_virga/health", authority: sender.authority, headers: sender.fields, body: RequestBody())
        let peer = try sender.address.map { try SocketAddress(ipAddress: $0, port: 50_000) }
        let response = await Entrance(registry: registry).respond(
            to: request, peer: peer, isSecure: false, at: nil, isOwn: sender.isOwn)
        return response.status.code
    }

    private func withRegistry(token: String? = nil, _ test: @escaping @Sendable (SandboxRegistry) async throws -> Void) async throws {
        var settings = Settings()
        (settings.ports, settings.controlToken) = ([0], token)
        settings.sandboxes.onDemand = "seed"
        try await Server(settings: settings).whileRunning { _, registry in try await test(registry) }
    }

    private static func names(_ registry: SandboxRegistry) -> [String] { registry.sandboxes().map(\.name) }

    @Test("creates them for programs on this machine", arguments: SenderOfATest.allPrograms)
    func createdByPrograms(sender: SenderOfATest) async throws {
        try await withRegistry { registry async throws in
            #expect(try await send(sender, to: registry) != 404)
            #expect(Self.names(registry) == ["default", "new"])
        }
    }

    @Test("creates none for pages, rebound hosts and other machines", arguments: SenderOfATest.foreignPages + SenderOfATest.elsewhere)
    func notCreated(sender: SenderOfATest) async throws {
        try await withRegistry { registry async throws in
            #expect(try await send(sender, to: registry) == 404)
            #expect(Self.names(registry) == ["default"])
        }
    }

    @Test(
        "creates none without the control token where there is one",
        arguments: SenderOfATest.allPrograms + SenderOfATest.foreignPages + SenderOfATest.elsewhere)
    func withoutToken(sender: SenderOfATest) async throws {
        try await withRegistry(token: "secret") { registry async throws in
            #expect(try await send(sender, to: registry) == 404)
            var wrong = sender
            wrong.fields[.authorization] = "Bearer wrong"
            #expect(try await send(wrong, to: registry) == 404)
            #expect(Self.names(registry) == ["default"])
        }
    }

    @Test("creates them for requests with the control token")
    func withToken() async throws {
        try await withRegistry(token: "secret") { registry async throws in
            var sender = SenderOfATest.program
            sender.fields[.authorization] = "Bearer secret"
            sender.address = "192.0.2.1"
            #expect(try await send(sender, to: registry) == 200)
            #expect(Self.names(registry) == ["default", "new"])
        }
    }

    @Test("opens evicted ones for clients", arguments: SenderOfATest.allPrograms + SenderOfATest.elsewhere, [nil, "secret"])
    func evicted(sender: SenderOfATest, token: String?) async throws {
        try await withRegistry(token: token) { registry async throws in
            try await Self.prepareEvicted(in: registry)
            #expect(try await send(sender, to: registry) != 403)
            #expect(registry.sandbox(named: "new")?.world != nil)
        }
    }

    @Test("opens no evicted one for pages of other sites and rebound hosts", arguments: SenderOfATest.foreignPages, [nil, "secret"])
    func evicted(byPage sender: SenderOfATest, token: String?) async throws {
        try await withRegistry(token: token) { registry async throws in
            try await Self.prepareEvicted(in: registry)
            #expect(try await send(sender, to: registry) == 403)
            #expect(registry.sandbox(named: "new")?.world == nil)
            // An open one is reached as before.
            _ = try await send(SenderOfATest.program, to: registry)
            #expect(registry.sandbox(named: "new")?.world != nil)
            if sender.method == .get { #expect(try await send(sender, to: registry) == 200) }
        }
    }

    private static func prepareEvicted(in registry: SandboxRegistry) async throws {
        var order = SandboxOrder()
        order.name = "new"
        _ = try await registry.create(order)
        let sandbox = try #require(registry.sandbox(named: "new"))
        await registry.evict(sandbox)
        try #require(sandbox.world == nil)
    }
}
