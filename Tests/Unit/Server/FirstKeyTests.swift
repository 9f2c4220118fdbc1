import Cloud
import ControlFace
import Seeds
import Testing
import Tokens

@testable import VirgaServer

@Suite("The first keys of a fresh sandbox")
struct FirstKeyTests {
    private func withRegistry(_ test: @escaping @Sendable (SandboxRegistry) async throws -> Void) async throws {
        var settings = Settings()
        settings.ports = [0]
        settings.seeds = [try SeedFile.personalFileStore.decode()]
        try await Server(settings: settings).whileRunning { _, registry in try await test(registry) }
    }

    private static func fresh(_ registry: SandboxRegistry, from origin: SandboxOrder.Origin = .seeds) async throws -> String {
        var order = SandboxOrder()
        order.origin = origin
        return try await registry.create(order).description.name
    }

    @Test("are made once for all that have the seed of the process: forty in turn and eight at once wait for none")
    func ofSeed() async throws {
        try await withRegistry { registry in
            let keys = registry.services.keys
            _ = try await Self.fresh(registry)
            await keys.settle()
            var names: Set<String> = []
            for _ in 0..<40 {
                let name = try await Self.fresh(registry)
                for provider in ["company", "google"] {
                    names.insert(try await registry.cloud(of: name).signingKey(for: provider).keyID)
                }
            }
            #expect(names.count == 80)
            var fresh: [String] = []
            for _ in 0..<8 { fresh.append(try await Self.fresh(registry)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in fresh {
                    group.addTask { _ = try await registry.cloud(of: name).signingKey(for: "company") }
                }
                try await group.waitForAll()
            }
            #expect(keys.counts.waitedFor == 0)
        }
    }

    private static func thumbprint(_ name: String, _ registry: SandboxRegistry) async throws -> String {
        try JSONWebKey(try await registry.cloud(of: name).signingKey(for: "company").verificationKey).thumbprint
    }

    @Test("are shared by copies of a snapshot, by forks, and after eviction")
    func ofSnapshot() async throws {
        try await withRegistry { registry in
            let origin = try await Self.fresh(registry)
            _ = try await registry.takeSnapshot(of: origin, named: "base", replaces: false)
            let evicted = try await Self.fresh(registry)
            await registry.evict(try #require(registry.sandbox(named: evicted)))
            var found: Set<String> = []
            for name in [
                try await Self.fresh(registry, from: .named("base")), try await Self.fresh(registry, from: .named(origin)), evicted, origin,
            ] {
                found.insert(try await Self.thumbprint(name, registry))
            }
            #expect(found.count == 1)
            let others = [SandboxName.defaultName, try await Self.fresh(registry, from: .seed(Self.own))]
            for name in others { found.insert(try await Self.thumbprint(name, registry)) }
            #expect(found.count == 3)
        }
    }

    private static let own = SeedFile(
        name: "seed", text: Array(#"{identityProviders: [{name: "company", issuer: "https://c.example"}]}"#.utf8))
}
