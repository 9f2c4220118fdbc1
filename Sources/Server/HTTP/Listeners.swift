import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The listeners of the process. They start and stop together: once the process stops, none accepts connections.
struct Listeners: Service {
    struct Address {
        var port: Int
        var isSecure: Bool
    }

    /// The port of the web console, and the function that receives its number.
    struct Console {
        var port: Int
        var onReady: @Sendable (Int) -> Void
    }

    let binder: ListenerBinder
    let addresses: [Address]
    /// The listener that serves the web console only; `nil` for none.
    let console: Console?
    /// The port of Keycloak's health paths; `nil` for none.
    let health: Int?
    /// How long running requests may continue when the server stops.
    let grace: TimeAmount
    /// Called when the process stops, before its sockets close.
    let onStop: @Sendable () async -> Void
    /// Called with the URL of each listener in order, once all of them are listening.
    let onReady: @Sendable (String) -> Void

    func run() async throws {
        let connections = binder.connections
        var listening: [any Channel] = []
        do {
            for address in addresses { listening.append(try await binder.bind(port: address.port, secure: address.isSecure)) }
            if let console {
                let channel = try await binder.bind(port: console.port, secure: false, purpose: .console)
                listening.append(channel)
                console.onReady(channel.localAddress?.port ?? console.port)
            }
            if let health { listening.append(try await binder.bind(port: health, secure: false, purpose: .health)) }
        } catch {
            for channel in listening { try? await channel.close() }
            throw error
        }
        for (address, channel) in zip(addresses, listening) {
            onReady("\(address.isSecure ? "https" : "http")://\(binder.reachableHost):\(channel.localAddress?.port ?? address.port)")
        }
        try? await gracefulShutdown()
        // First the connections, then the sockets: once the sockets are closed, each open connection is known to be at its last request.
        await connections.quiesce()
        await onStop()
        for channel in listening { try? await channel.close() }
        await connections.drain(within: grace, on: MultiThreadedEventLoopGroup.singleton.next())
    }
}
