import Calls
import Cloud
import ConsoleFace
import ControlFace
import Cryptography
import Directory
import Federation
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import OSSFace
import ObjectServing
import ObjectStore
import S3Face
import Seeds
import ServiceLifecycle
package import UnixSignals
import WireFormats

/// The server process: one sandbox with one front door and one or more listeners.
package struct Server: Sendable {
    private let settings: Settings
    private let logger: Logger

    package init(settings: Settings) {
        self.settings = settings
        logger = Logger(label: "virga")
    }

    /// Starts the threads of the event loops, which servers would start later. It waits until they run.
    @concurrent
    package static func startThreads() async { _ = MultiThreadedEventLoopGroup.singleton }

    /// Runs the server and `body` at the same time.
    /// - Parameter body: the function to run; if it throws, the server stops.
    /// - Throws: `ListenError`, an error of opening the sandbox, or an error of `body`.
    package func run(
        while body: @escaping @Sendable () async throws -> Void, onReady: @escaping @Sendable (String) -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await run(until: settings.stopSignals, onReady: onReady)
                return true
            }
            group.addTask {
                try await body()
                return false
            }
            defer { group.cancelAll() }
            while let isOver = try await group.next(), !isOver {}
        }
    }

    /// Runs the server until one of `signals` arrives or the task is canceled. Then it finishes the running requests and closes the
    /// database. A second signal ends the process immediately, with the status 128 plus the number of the signal.
    /// - Parameters:
    ///   - onOpen: called with the sandboxes before the first listener is ready.
    ///   - onReady: called with the URL of each listener, once all of them are listening.
    /// - Throws: `ListenError`, or an error of opening the sandbox.
    package func run(
        until signals: [UnixSignal], onOpen: @escaping @Sendable (SandboxRegistry) -> Void = { _ in },
        onReady: @escaping @Sendable (String) -> Void
    ) async throws {
        let root = try settings.folder.map { try DataFolder(path: $0, isSynced: settings.isSynced) } ?? DataFolder()
        do {
            try await serve(root, until: signals, onOpen: onOpen, onReady: onReady)
        } catch {
            root.release()
            throw error
        }
    }

    private func serve(
        _ root: DataFolder, until signals: [UnixSignal], onOpen: @Sendable (SandboxRegistry) -> Void,
        onReady: @escaping @Sendable (String) -> Void
    ) async throws {
        // Created only if needed: generating and signing keys takes a few milliseconds.
        let identity =
            try settings.securePorts.isEmpty
            ? nil : ServerIdentity(authority: .kept(in: settings.folder, isSynced: settings.isSynced), names: settings.names)
        if let path = settings.authorityFile, let identity {
            try File.write(identity.authority.certificate, to: path, mode: 0o644)
        }
        let network = try NetworkClient(
            authority: identity?.authority.certificate, trusting: settings.trustedAuthorityFiles, isOpen: settings.allowsOutbound,
            namedHosts: settings.namedHosts, logger: logger)
        let services = SharedServices(
            settings: settings, network: network, authority: identity?.authority.certificate, threads: DatabaseThreads(), logger: logger,
            memory: ResponseMemory(budget: settings.connectionLimits.responseMemory),
            documents: UnreadDocuments(limit: settings.connectionLimits.responseMemory / 2),
            consoleSignIn: SignInAttempts(code: settings.consoleCode))
        let registry = SandboxRegistry(services: services, root: root, ports: SandboxPorts())
        identity?.recognize { registry.isHost($0) }
        let result: Result<Void, any Error>
        do {
            let cloud = try await registry.open()
            if settings.folder != nil, try cloud.isFilledFromOtherSeeds() {
                logger.warning(
                    "The data comes from other seeds. They stay in effect until POST /_virga/reset, which applies the seeds of this start.",
                    metadata: [
                        "data": "\(settings.folder ?? "")", "seeds": "\(settings.seeds.map(\.name).joined(separator: ", "))",
                    ])
            }
            onOpen(registry)
            try await serve(registry, security: identity?.context(), until: signals, onReady: onReady)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await registry.close()
        await network.close()
        await settings.requestLog?.close()
        try result.get()
    }

    private func serve(
        _ registry: SandboxRegistry, security: NIOSSLContext?, until signals: [UnixSignal], onReady: @escaping @Sendable (String) -> Void
    ) async throws {
        let binder = ListenerBinder(
            host: settings.host, entrance: Entrance(registry: registry), connections: registry.services.connections,
            security: security, logger: logger)
        registry.ports.start(binder)
        await registry.reopenPorts()
        let addresses =
            settings.ports.map { Listeners.Address(port: $0, isSecure: false) }
            + settings.securePorts.map { Listeners.Address(port: $0, isSecure: true) }
        let listeners = Listeners(
            binder: binder, addresses: addresses,
            console: settings.consolePort.map { port in
                Listeners.Console(port: port) { [settings] port in
                    registry.services.consolePort.open(port)
                    settings.onConsolePort(port)
                }
            }, health: settings.healthPort, grace: .seconds(settings.grace), onStop: { await registry.closePorts() }
        ) { endpoint in
            registry.listens(at: endpoint)
            onReady(endpoint)
        }
        let ticker = Ticker(works: [
            .init(interval: LifecycleCalendar(secondsPerDay: settings.lifecycleDay).interval) {
                for (_, world) in registry.openWorlds { await world.applyLifecycleRules() }
            },
            .init(interval: AccessLogDelivery.interval) {
                for (_, world) in registry.openWorlds { await world.deliverLogs() }
            },
            .init(interval: .seconds(min(10, max(1, settings.sandboxes.idle / 4)))) { await registry.sweep() },
            .init(interval: .seconds(5)) {
                if registry.services.memory.takeScarcity() { await FreeMemory.giveBack() }
            },
        ])
        let background = BackgroundWork {
            async let preparation: Void = registry.makeKeysWhenIdle()
            await ticker.run()
            await preparation
        }
        // Services stop in reverse order, so that the last requests still find what works beside them.
        // Their names are given, since the default ones print the services with everything in them.
        let services = ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: background, serviceName: "background work"), .init(service: listeners, serviceName: "listeners"),
                ],
                gracefulShutdownSignals: signals, logger: Logger(label: "virga.lifecycle")))
        let clearUp: @Sendable () -> Void = { [settings] in
            settings.atHardStop()
            registry.abandon()
        }
        try await SecondSignal.watching(signals, clearUp: clearUp) { try await services.run() }
    }
}
