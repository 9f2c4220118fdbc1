import ControlFace
import Synchronization
import VirgaServer

/// The state with which tests begin: made once from a seed, then copied into a sandbox for each test.
///
/// All templates of a process share one server.
package final class CloudTemplate: Sendable {
    private struct Made: Sendable {
        var registry: SandboxRegistry
        /// The snapshot that tests without another one begin with.
        var base: String
        var names: SnapshotNames
    }

    private let seed: CloudSeed
    private let prepare: (@Sendable (RunningCloud) async throws -> Void)?
    private let made = Mutex<Task<Made, any Error>?>(nil)

    /// - Parameters:
    ///   - seed: what the cloud contains.
    ///   - prepare: changes the cloud once, before it is copied. It can take snapshots.
    package init(seed: CloudSeed, prepare: (@Sendable (RunningCloud) async throws -> Void)?) {
        self.seed = seed
        self.prepare = prepare
    }

    /// Runs a function with a copy in a sandbox of its own, which is removed afterwards.
    /// - Parameter snapshot: the snapshot of the preparation that is copied; `nil` for the state at its end.
    /// - Throws: ``CloudError``, what the preparation throws, or what the function throws.
    package func withCopy<T>(of snapshot: String? = nil, _ body: (RunningCloud) async throws -> T) async throws -> T {
        let made = try await template()
        let server = SharedServer.shared
        let names = SnapshotNames(prefix: "test\(server.nextNumber)-", parent: made.names)
        var order = SandboxOrder()
        order.prefix = "test"
        order.origin = .named(try snapshot.map { name throws(CloudError) in try made.names.found(name) } ?? made.base)
        return try await server.slots.withSlot {
            let outcome: Result<T, any Error>
            do {
                outcome = .success(try await made.registry.withSandbox(order, names, body))
            } catch {
                outcome = .failure(error)
            }
            for name in names.all { try? await made.registry.deleteSnapshot(name) }
            return try outcome.get()
        }
    }

    private func template() async throws -> Made {
        let task = made.withLock { made in
            if let made { return made }
            // Not a child of the first test's task: the others wait for it as well.
            let task = Task { try await make() }
            made = task
            return task
        }
        return try await task.value
    }

    private func make() async throws -> Made {
        try await CloudError.translating {
            let registry = try await SharedServer.shared.registry()
            let number = SharedServer.shared.nextNumber
            let names = SnapshotNames(prefix: "suite\(number)-")
            var order = SandboxOrder()
            order.prefix = "suite\(number)"
            order.origin = .seed(try seed.file())
            // It remains: tokens that the preparation gets name its port as their issuer.
            let cloud = try await registry.newCloud(order, names)
            try await prepare?(cloud)
            let base = "base\(number)"
            _ = try await registry.takeSnapshot(of: cloud.name, named: base, replaces: true)
            return Made(registry: registry, base: base, names: names)
        }
    }
}
