import AWSFaces
import AsyncHTTPClient
import Cloud
import ControlFace
import Federation
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
package import UnixSignals

/// The process: one sandbox behind one front door, on one or more listeners.
package struct Server: Sendable {
    private let settings: Settings
    private let logger: Logger

    package init(settings: Settings) {
        self.settings = settings
        logger = Logger(label: "virga")
    }

    /// Serves until one of `signals` arrives or the task is cancelled; then finishes running requests and closes the database.
    /// - Parameter onReady: called once for each listener, with the URL that reaches it.
    /// - Throws: `ListenError`, or why the sandbox could not be opened.
    package func run(
        until signals: [UnixSignal] = [.sigterm, .sigint], onReady: @escaping @Sendable (String) -> Void
    ) async throws {
        let cloud = try await Cloud.open(
            folder: settings.folder, seeds: settings.seeds, newBuckets: settings.newBuckets)
        let result: Result<Void, any Error>
        do {
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
            cloud: cloud, calendar: LifecycleCalendar(secondsPerDay: settings.lifecycleDay), events: events, logger: logger)
        let door = FrontDoor(
            cloud: cloud, names: settings.names, events: events, lifecycle: lifecycle,
            access: ControlAccess(token: settings.controlToken, isLoopback: settings.isLoopback), logger: logger)
        let listeners = try settings.ports.map { port in
            Listener(
                host: settings.host, port: port,
                server: try HTTPServerBuilder.listening(door: door).buildServer(
                    configuration: ServerConfiguration(
                        address: .hostname(settings.host, port: port), reuseAddress: true),
                    eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger,
                    responder: { request, writer, channel in
                        let response = await door.respond(to: request, peer: channel.remoteAddress, isSecure: false)
                        try await writer.write(response: response.head, body: response.body)
                    },
                    onServerRunning: { channel in
                        // An IPv6 address stands in brackets (RFC 3986 section 3.2.2).
                        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
                        onReady("http://\(host):\(channel.localAddress?.port ?? port)")
                    }))
        }
        // They end in the opposite order: what the last requests cause is still sent.
        let background = [
            BackgroundWork { await events.deliver { await $0.post(with: .shared) } }, BackgroundWork { await lifecycle.run() },
        ]
        try await ServiceGroup(
            configuration: .init(
                services: background.map { .init(service: $0) } + listeners.map { .init(service: $0) }, gracefulShutdownSignals: signals, logger: Logger(label: "virga.lifecycle"))
        ).run()
    }
}

/// One listening address.
private struct Listener: Service {
    let host: String
    let port: Int
    let server: any Service

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            throw ListenError(host: host, port: port, reason: error.localizedReason)
        }
    }
}

/// An address that could not be listened on.
package struct ListenError: Error, CustomStringConvertible {
    package var host: String
    package var port: Int
    package var reason: String

    package var description: String { "cannot listen on \(host):\(port): \(reason)" }
}

extension IOError {
    fileprivate var localizedReason: String {
        errnoCode == EADDRINUSE ? "the address is already in use" : "\(self)"
    }
}

extension HTTPServerBuilder {
    fileprivate static func listening(door: FrontDoor) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            EventLoopChannel(
                base: HTTP1Channel(
                    responder: responder, configuration: .init(additionalChannelHandlers: [ContinueHandler()])))
        }
    }
}
