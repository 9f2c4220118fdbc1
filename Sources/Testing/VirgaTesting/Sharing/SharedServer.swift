import Synchronization
import VirgaServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The one server of a test process. It starts with the first test that needs it, and runs until the process exits.
final class SharedServer: Sendable {
    /// The server of this process.
    static let shared = SharedServer()

    /// How many tests have a sandbox at the same time. Each has some descriptors, of which a process has 1,024.
    private static let mostTests = 16

    /// Bounds how many tests have a sandbox at the same time.
    let slots = Slots(count: mostTests)
    private let start = Mutex<Task<SandboxRegistry, any Error>?>(nil)
    private let running = Mutex<SandboxRegistry?>(nil)
    private let lastNumber = Atomic<Int>(0)
    /// A stream without elements that never ends.
    private let end = AsyncStream.makeStream(of: Never.self)

    /// A number that no other call returns.
    var nextNumber: Int { lastNumber.add(1, ordering: .relaxed).newValue }

    /// Returns the sandboxes, and starts the server if it does not run yet.
    /// - Throws: an error of the start.
    func registry() async throws -> SandboxRegistry {
        let task = start.withLock { start in
            if let start { return start }
            let task = Task { try await launch() }
            start = task
            return task
        }
        return try await task.value
    }

    private func launch() async throws -> SandboxRegistry {
        let (ready, announce) = AsyncThrowingStream.makeStream(of: SandboxRegistry.self)
        // It outlives the test that needs it first, so it cannot be a child of a test's task.
        Task {
            do {
                try await Server(settings: .ofTests).whileRunning { _, registry in
                    announce.yield(registry)
                    for await _ in SharedServer.shared.end.stream {}
                }
                announce.finish()
            } catch {
                announce.finish(throwing: error)
            }
        }
        for try await registry in ready {
            running.withLock { $0 = registry }
            // Removes the files of the sandboxes.
            atexit { SharedServer.shared.abandon() }
            return registry
        }
        throw CloudError(.stopped, "The server has stopped.")
    }

    private func abandon() { running.withLock { $0?.abandon() } }
}
