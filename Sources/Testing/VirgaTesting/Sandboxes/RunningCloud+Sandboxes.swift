import Cloud
import ControlFace
import VirgaServer

extension RunningCloud {
    /// Runs a function with a copy of this cloud, and removes the copy.
    ///
    /// The copy has the buckets, users, sessions and the time of this cloud, at its own address. Its journal is empty and no rules for errors
    /// apply. Neither sees what happens in the other.
    ///
    /// ```swift
    /// try await cloud.fork { copy in
    ///     try await copy.clock.age(.days(30))
    /// }
    /// ```
    /// - Throws: ``CloudError``, or what the function throws.
    @discardableResult
    public func fork<T>(_ body: (RunningCloud) async throws -> T) async throws -> T {
        var order = SandboxOrder()
        order.prefix = "fork"
        order.origin = .named(name)
        return try await registry.withSandbox(order, snapshotNames, body)
    }

    /// Takes a snapshot, in place of an earlier one of the same name.
    ///
    /// Credentials that were issued so far are valid in every copy of the snapshot; those that are issued later are valid in one cloud only.
    /// - Parameter name: lower-case letters, digits and hyphens.
    /// - Throws: ``CloudError`` if the name is not valid.
    public func snapshot(_ name: String) async throws {
        try await CloudError.translating {
            _ = try await registry.takeSnapshot(of: self.name, named: snapshotNames.prefix + name, replaces: true)
        }
        snapshotNames.note(name)
    }

    /// Puts the state of a snapshot in place of the state of this cloud, at the same address. The journal is empty then.
    /// - Parameters:
    ///   - name: the name of the snapshot.
    ///   - keepsFaults: whether the rules for errors on demand stay.
    /// - Throws: ``CloudError`` if there is no such snapshot.
    public func restore(_ name: String, keepsFaults: Bool = false) async throws {
        let snapshot = try snapshotNames.found(name)
        try await CloudError.translating { try await registry.restore(self.name, from: snapshot, keepsFaults: keepsFaults) }
    }

    /// Empties this cloud and applies its seed again. Sessions, tokens and keys that were issued before are rejected.
    /// - Throws: ``CloudError``.
    public func reset() async throws { try await withSandbox { try await $0.reset() } }
}

extension SandboxRegistry {
    /// Runs a function with a new sandbox, and removes the sandbox.
    func withSandbox<T>(_ order: SandboxOrder, _ names: SnapshotNames, _ body: (RunningCloud) async throws -> T) async throws -> T {
        let cloud = try await CloudError.translating { try await newCloud(order, names) }
        let outcome: Result<T, any Error>
        do {
            outcome = .success(try await body(cloud))
        } catch {
            outcome = .failure(error)
        }
        // A server that stops has removed it already.
        try? await delete(cloud.name)
        return try outcome.get()
    }

    /// Creates a sandbox with a port.
    func newCloud(_ order: SandboxOrder, _ names: SnapshotNames) async throws -> RunningCloud {
        var order = order
        order.hasPort = true
        let created = try await create(order).description
        return RunningCloud(
            name: created.name, endpoint: created.portURL ?? created.url, url: created.url, registry: self, snapshotNames: names)
    }
}
