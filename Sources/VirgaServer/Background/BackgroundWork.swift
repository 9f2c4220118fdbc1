import ServiceLifecycle

/// Work of the process that no request waits for. It ends with the process.
struct BackgroundWork: Service {
    let work: @Sendable () async -> Void

    func run() async throws { await cancelWhenGracefulShutdown { await work() } }
}
