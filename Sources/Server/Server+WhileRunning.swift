import Synchronization

extension Server {
    /// Starts the server, runs `body` with the URL of the first listener, and stops the server.
    /// - Throws: an error of the start or of `body`.
    package func whileRunning<T: Sendable>(_ body: @escaping @Sendable (_ endpoint: String) async throws -> T) async throws -> T {
        try await whileRunning { endpoint, _ in try await body(endpoint) }
    }

    /// Starts the server, runs `body` with the URL of the first listener and the sandboxes, and stops the server.
    /// - Throws: an error of the start or of `body`.
    package func whileRunning<T: Sendable>(
        _ body: @escaping @Sendable (_ endpoint: String, _ sandboxes: SandboxRegistry) async throws -> T
    ) async throws -> T {
        let (ready, announce) = AsyncStream.makeStream(of: String.self)
        let opened = Opened()
        return try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask {
                defer { announce.finish() }
                try await run(until: [], onOpen: { opened.set($0) }, onReady: { announce.yield($0) })
                return nil
            }
            group.addTask {
                for await endpoint in ready {
                    guard let sandboxes = opened.sandboxes else { break }
                    return try await body(endpoint, sandboxes)
                }
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw CancellationError()
        }
    }
}

/// The sandboxes of a server that has opened them.
private final class Opened: Sendable {
    private let state = Mutex<SandboxRegistry?>(nil)

    var sandboxes: SandboxRegistry? { state.withLock { $0 } }

    func set(_ sandboxes: SandboxRegistry) { state.withLock { $0 = sandboxes } }
}
