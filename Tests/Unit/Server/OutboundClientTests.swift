import Calls
import Cloud
import ControlFace
import Federation
import HTTPTypes
import Logging
import NIOCore
import NIOPosix
import ObjectServing
import S3Face
import Seeds
import Synchronization
import Testing
import VirgaTesting
import WireFormats

@testable import VirgaServer

@Suite("Outbound requests of this process")
struct OutboundClientTests {
    private static let seed = """
        {identityProviders: [
          {name: 'company', kind: 'openIDConnect', issuer: 'https://login.company.example', people: []},
          {name: 'tenant', kind: 'openIDConnect', issuer: 'https://shared.example/tenants/7', people: []},
          {name: 'hosted', kind: 'openIDConnect', issuer: 'https://name.example', people: [],
           origins: {backChannel: 'https://keys.example'}}]}
        """

    /// Runs a test with a client that has its own front door.
    private static func run(aliases: Set<String> = [], _ test: (OutboundClient) async throws -> Void) async throws {
        let seed = try SeedFile(name: "test", text: Array(Self.seed.utf8)).decode()
        let cloud = try await Cloud.open(folder: nil, seeds: [seed])
        let names = HostNames(aliases: aliases)
        let network = try NetworkClient(authority: nil, trusting: [])
        let door = Mutex<FrontDoor?>(nil)
        let client = OutboundClient(cloud: cloud, names: names, network: network) { request, isSecure in
            await door.withLock { $0 }?.respond(to: request, peer: nil, isSecure: isSecure) ?? Response(status: .serviceUnavailable)
        }
        let outcome: Result<Void, any Error>
        do {
            let logger = Logger(label: "test")
            door.withLock {
                $0 = FrontDoor(
                    cloud: cloud, names: names,
                    services: SandboxServices(
                        events: EventOutbox(targets: [:], logger: logger), accessLog: AccessLog(logger: logger),
                        issuers: ForeignIssuers(cloud: cloud) { try await client.fetch($0) },
                        applications: Applications(fetch: { try await client.fetch($0) }, post: { try await client.post($0, form: $1) }),
                        outbound: { try await client.send($0) }, logger: logger, settleTime: {}),
                    control: ControlServices(access: ControlAccess(token: nil, isLoopback: true)))
            }
            try await test(client)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await network.close()
        await cloud.close()
        try outcome.get()
    }

    private static func document(_ url: String, _ client: OutboundClient) async throws -> JSONValue {
        let answer = try await client.send(OutboundRequest(url: url))
        #expect(answer.status == 200, "\(url)")
        return try JSONValue(parsing: answer.body)
    }

    @Test(
        "reach an issuer of this process by its canonical name, and at the URLs in its documents",
        arguments: ["https://login.company.example", "https://shared.example/tenants/7", "https://name.example"])
    func ownIssuers(issuer: String) async throws {
        try await Self.run { client async throws in
            let metadata = try await Self.document(issuer + "/.well-known/openid-configuration", client)
            let keys = try await Self.document(try #require(metadata["jwks_uri"]?.stringValue), client)
            #expect(keys["keys"]?.arrayValue?.isEmpty == false)
        }
    }

    @Test("reach this process by an alias, with a limited response")
    func alias() async throws {
        try await Self.run(aliases: ["cloud.company.example"]) { client async throws in
            let url = "http://cloud.company.example:4566/idp/company/.well-known/openid-configuration"
            let metadata = try await Self.document(url, client)
            #expect(metadata["issuer"] == "http://cloud.company.example:4566/idp/company")
            await #expect(throws: (any Error).self) { try await client.send(OutboundRequest(url: url, longestAnswer: 10)) }
        }
    }

    @Test("reach an application in this process like any other")
    func messages() async throws {
        try await Self.run(aliases: ["cloud.company.example"]) { client async throws in
            let base = "http://cloud.company.example:4566/idp/company"
            #expect(try await client.fetch(base + "/keys").status != 200)
            let metadata = try await client.fetch(base + "/.well-known/openid-configuration")
            #expect(metadata.status == 200)
            #expect(!metadata.body.isEmpty)
            #expect(try await client.post(base + "/none", form: "a=b") == 404)
        }
    }

    @Test("go over the network to loopback, where other processes have ports")
    func loopback() async throws {
        let elsewhere = "{identityProviders: [{name: 'elsewhere', issuer: 'https://elsewhere.example', people: []}]}"
        try await withCloud(seed: elsewhere) { cloud async throws in
            // The address of the listening process is an alias of the client's.
            try await Self.run(aliases: ["127.0.0.1"]) { client async throws in
                let url = cloud.endpoint + "/idp/elsewhere"
                #expect(try await Self.document(url + "/.well-known/openid-configuration", client)["issuer"] == .string(url))
            }
        }
    }

    @Test("fail if a server does not respond within the timeout")
    func readTimeout() async throws {
        // A server that accepts connections and sends nothing.
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = server.localAddress?.port ?? 0
        try await Self.run { client async throws in
            var request = OutboundRequest(url: "http://127.0.0.1:\(port)/", timeout: .seconds(600))
            request.readTimeout = .milliseconds(50)
            await #expect(throws: OutboundError.timedOut) { try await client.send(request) }
        }
        try await server.close()
    }
}
