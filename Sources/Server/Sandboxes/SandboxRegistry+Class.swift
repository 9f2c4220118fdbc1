import Cloud
package import ControlFace

extension SandboxRegistry {
    /// The class of the process.
    package var classroom: Classroom { classOfProcess }

    /// Reads the journals of the open sandboxes, and returns the progress of each sandbox that was read so far.
    package func progress() -> [String: SandboxProgress] {
        for (sandbox, world) in openWorlds { readProgress(of: sandbox, world) }
        var progress: [String: SandboxProgress] = [:]
        for sandbox in allSandboxes { progress[sandbox.name] = progressBook.progress(of: sandbox.name) }
        return progress
    }

    /// Reads the journal of a sandbox.
    func readProgress(of sandbox: Sandbox, _ world: World) {
        let cloud = world.cloud
        progressBook.read(sandbox.name, .init(world: sandbox.record.world, generation: cloud.generation), of: cloud)
    }

    /// Removes the student of a sandbox that is removed, and ends the session of the student's browser.
    func leaveClass(_ sandbox: String) {
        progressBook.forget(sandbox)
        if let session = classOfProcess.forget(sandbox)?.sessionToEnd { services.console.end(session: session) }
    }
}
