import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The listeners of the process. They start and stop together: once the process stops, none accepts connections.
struct Listeners: Service {
    struct Address {
        var port: Int
        /// The TLS context; `nil` for plain HTTP.
        var security: NIOSSLContext?
    }

    /// The most bytes of one read, which is the size of a piece of an object.
    private static let longestRead = 256 << 10

    let host: String
    let addresses: [Address]
    let door: FrontDoor
    /// How long running requests may continue when the server stops.
    let grace: TimeAmount
    let logger: Logger
    /// Called with the URL of each listener in order, once all of them are listening.
    let onReady: @Sendable (String) -> Void

    func run() async throws {
        let connections = Connections()
        var listening: [any Channel] = []
        do {
            for address in addresses { listening.append(try await bind(address, connections)) }
        } catch {
            for channel in listening { try? await channel.close() }
            throw error
        }
        // An IPv6 address has brackets in a URL (RFC 3986 section 3.2.2).
        // A server that listens on all interfaces is reached at loopback.
        let reachable = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        let name = reachable.contains(":") ? "[\(reachable)]" : reachable
        for (address, channel) in zip(addresses, listening) {
            onReady("\(address.security == nil ? "http" : "https")://\(name):\(channel.localAddress?.port ?? address.port)")
        }
        try? await gracefulShutdown()
        // First the connections, then the sockets: once the sockets are closed, each open connection is known to be at its last request.
        await connections.quiesce()
        for channel in listening { try? await channel.close() }
        await connections.drain(within: grace, on: MultiThreadedEventLoopGroup.singleton.next())
    }

    private func bind(_ address: Address, _ connections: Connections) async throws -> any Channel {
        let (door, logger, security) = (door, logger, address.security)
        do {
            return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 1024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptGate(connections, logger: logger))
                    }
                }
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(
                    .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: Self.longestRead)
                )
                .childChannelOption(.writeBufferWaterMark, value: .init(low: 256 << 10, high: 512 << 10))
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let security {
                            try pipeline.addTLS(security, door)
                        } else {
                            try pipeline.addHTTP1(door, isSecure: false)
                        }
                    }
                }
                .bind(host: host, port: address.port).get()
        } catch let error as IOError {
            throw ListenError(host: host, port: address.port, reason: error.localizedReason)
        } catch is SocketAddressError.UnknownHost {
            throw ListenError(host: host, port: address.port, reason: "there is no such host")
        }
    }
}

/// The error for an address that the server cannot listen on.
package struct ListenError: Error, CustomStringConvertible {
    /// The address.
    package var host: String
    /// The port.
    package var port: Int
    /// The system's error message.
    package var reason: String

    package var description: String { "cannot listen on \(host.contains(":") ? "[\(host)]" : host):\(port): \(reason)" }
}

extension IOError {
    fileprivate var localizedReason: String {
        errnoCode == EADDRINUSE ? "the address is already in use" : String(cString: strerror(errnoCode))
    }
}
