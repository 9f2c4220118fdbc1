import ServiceLifecycle

/// A background task of the process. It ends with the process.
struct BackgroundWork: Service {
    let work: @Sendable () async -> Void

    func run() async throws { await cancelWhenGracefulShutdown { await work() } }
}
