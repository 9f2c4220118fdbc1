import UnixSignals

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Ends the process immediately at the second stop signal. Acknowledged writes have reached the kernel by then.
enum SecondSignal {
    /// Runs `body`. Meanwhile, the second of `signals` ends the process.
    /// - Parameter clearUp: removes what must not remain after the process.
    static func watching<T: Sendable>(
        _ signals: [UnixSignal], clearUp: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () async throws -> T
    ) async throws -> T {
        guard !signals.isEmpty else { return try await body() }
        let arriving = await UnixSignalsSequence(trapping: signals)
        return try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask {
                var isFirst = true
                for await signal in arriving {
                    if !isFirst {
                        clearUp()
                        // The status that shells report for a process that a signal ended.
                        _exit(128 + signal.rawValue)
                    }
                    isFirst = false
                }
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw CancellationError()
        }
    }
}
