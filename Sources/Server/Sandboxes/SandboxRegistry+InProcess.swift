package import Cloud
package import ControlFace

extension SandboxRegistry {
    /// Returns the cloud of a sandbox, for a caller in this process. A restore replaces it, so callers do not keep it.
    /// - Throws: ``SandboxRefusal``, or an error of the storage.
    package func cloud(of name: String) async throws -> Cloud {
        guard let sandbox = sandbox(named: name) else { throw SandboxRefusal.noSuchSandbox(name) }
        sandbox.use()
        return try await world(of: sandbox).cloud
    }

    /// Performs what has become due in a sandbox after a change of its clock: writes its access logs and applies its lifecycle rules.
    /// - Throws: ``SandboxRefusal``, or an error of the storage.
    package func performDueWork(of name: String) async throws {
        guard let sandbox = sandbox(named: name) else { throw SandboxRefusal.noSuchSandbox(name) }
        let world = try await world(of: sandbox)
        // Logs first, so that lifecycle rules can expire them.
        await world.deliverLogs()
        await world.applyLifecycleRules()
    }

    /// Returns the description of a sandbox.
    /// - Throws: ``SandboxRefusal/noSuchSandbox(_:)``.
    package func description(ofSandbox name: String) throws(SandboxRefusal) -> SandboxDescription {
        guard let sandbox = sandbox(named: name) else { throw .noSuchSandbox(name) }
        return description(of: sandbox)
    }
}
