import Cloud
import ControlFace
import Cryptography
import Directory
import Federation
import Logging
import NIOCore
import NIOSSL
import OSSFace
import ObjectServing
import ObjectStore
import S3Face
import Seeds
import ServiceLifecycle
package import UnixSignals

/// The server process: one sandbox with one front door and one or more listeners.
package struct Server: Sendable {
    private let settings: Settings
    private let logger: Logger

    package init(settings: Settings) {
        self.settings = settings
        logger = Logger(label: "virga")
    }

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
    /// - Parameter onReady: called with the URL of each listener, once all of them are listening.
    /// - Throws: `ListenError`, or an error of opening the sandbox.
    package func run(
        until signals: [UnixSignal], onReady: @escaping @Sendable (String) -> Void
    ) async throws {
        let cloud = try await Cloud.open(
            folder: settings.folder, seeds: settings.seeds, newBuckets: settings.newBuckets,
            issuersOverHTTP: settings.issuersOverHTTP, seedDialect: settings.dialect.ofPolicies)
        cloud.usage.isEnabled = settings.recordsUsage
        let result: Result<Void, any Error>
        do {
            if settings.folder != nil, try cloud.isFilledFromOtherSeeds() {
                logger.warning(
                    "The data comes from other seeds. They stay in effect until POST /_virga/reset, which applies the seeds of this start.",
                    metadata: [
                        "data": "\(settings.folder ?? "")", "seeds": "\(settings.seeds.map(\.name).joined(separator: ", "))",
                    ])
            }
            try await serve(cloud, until: signals, onReady: onReady)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await cloud.close()
        try result.get()
    }

    private func serve(
        _ cloud: Cloud, until signals: [UnixSignal], onReady: @escaping @Sendable (String) -> Void
    ) async throws {
        let events = EventOutbox(targets: cloud.eventTargets.merging(settings.eventTargets) { $1 }, logger: logger)
        let lifecycle = LifecycleRunner(
            cloud: cloud, calendar: LifecycleCalendar(secondsPerDay: settings.lifecycleDay),
            rules: [LifecycleConfiguration.ofS3, LifecycleConfiguration.ofOSS], logger: logger
        ) { event, bucket in events.send(event, of: bucket) }
        let accessLog = AccessLog(logger: logger)
        let logDelivery = AccessLogDelivery(cloud: cloud, log: accessLog, logger: logger)
        // Created only if needed: generating and signing keys takes a few milliseconds.
        let identity =
            try settings.securePorts.isEmpty
            ? nil
            : ServerIdentity(authority: .kept(in: settings.folder), names: settings.names) { host in
                cloud.directory.vending.kind(ofHost: host) != nil || cloud.objects.bucket(hostedAt: host) != nil
                    || cloud.objects.bucket(named: host) != nil
            }
        if let path = settings.authorityFile, let identity {
            try File.write(identity.authority.certificate, to: path, mode: 0o644)
        }
        let security = try identity?.context()
        let outbound = try OutboundClient(
            cloud: cloud, names: settings.names, authority: identity?.authority.certificate,
            trusting: settings.trustedAuthorityFiles)
        let door = FrontDoor(
            cloud: cloud, names: settings.names, events: events, accessLog: accessLog,
            access: ControlAccess(token: settings.controlToken, isLoopback: settings.isLoopback),
            issuers: ForeignIssuers(cloud: cloud) { try await outbound.fetch($0) },
            applications: Applications(fetch: { try await outbound.fetch($0) }, post: { try await outbound.post($0, form: $1) }),
            outbound: { try await outbound.send($0) }, authority: identity?.authority.certificate, dialect: settings.dialect,
            admitsForeignPages: settings.admitsForeignPages, servesDenied: settings.authorization == .report,
            regions: settings.regions ?? cloud.regionRule, keyService: settings.keyService,
            requestLog: settings.requestLog, isReady: settings.isReady, observe: settings.observe, logger: logger
        ) {
            // Access logs are delivered first, because lifecycle rules may expire them.
            await logDelivery.deliver()
            await lifecycle.carryOut()
        }
        outbound.enter(by: door)
        let addresses = settings.ports.map { ($0, nil) } + settings.securePorts.map { ($0, security) }
        let listeners = Listeners(
            host: settings.host, addresses: addresses.map { .init(port: $0, security: $1) }, door: door,
            grace: .seconds(settings.grace), logger: logger, onReady: onReady)
        // Services stop in reverse order, so that events of the last requests are still sent.
        let background = [
            BackgroundWork { await events.deliver { await outbound.deliver($0) } }, BackgroundWork { await lifecycle.run() },
            BackgroundWork { await logDelivery.run() },
        ]
        let services = ServiceGroup(
            configuration: .init(
                services: background.map { .init(service: $0) } + [.init(service: listeners)], gracefulShutdownSignals: signals,
                logger: Logger(label: "virga.lifecycle")))
        let result: Result<Void, any Error>
        do {
            let clearUp: @Sendable () -> Void = { [settings] in
                settings.atHardStop()
                cloud.abandon()
            }
            result = .success(try await SecondSignal.watching(signals, clearUp: clearUp) { try await services.run() })
        } catch {
            result = .failure(error)
        }
        await logDelivery.deliver()
        await outbound.close()
        await settings.requestLog?.close()
        try result.get()
    }
}
