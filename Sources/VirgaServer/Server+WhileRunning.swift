extension Server {
    /// Starts the server, runs `body` with the URL of the first listener, and stops the server.
    /// - Throws: an error of the start or of `body`.
    package func whileRunning<T: Sendable>(_ body: @escaping @Sendable (_ endpoint: String) async throws -> T) async throws -> T {
        let (ready, announce) = AsyncStream.makeStream(of: String.self)
        return try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask {
                defer { announce.finish() }
                try await run(until: []) { announce.yield($0) }
                return nil
            }
            group.addTask {
                for await endpoint in ready { return try await body(endpoint) }
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
