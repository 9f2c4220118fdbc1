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

/// The addresses of the process. They begin and end together: once it is to stop, none accepts a connection any more.
struct Listeners: Service {
    struct Address {
        var port: Int
        /// For TLS; `nil` for plain HTTP.
        var security: NIOSSLContext?
    }

    /// One read takes up to a piece of an object.
    private static let longestRead = 256 << 10

    let host: String
    let addresses: [Address]
    let door: FrontDoor
    /// How long requests may go on when the server ends.
    let grace: TimeAmount
    let logger: Logger
    /// Called with the URL that reaches each listener, in their order, once all of them listen.
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
        // An IPv6 address stands in brackets (RFC 3986 section 3.2.2).
        // Who listens everywhere is called at loopback.
        let reachable = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        let name = reachable.contains(":") ? "[\(reachable)]" : reachable
        for (address, channel) in zip(addresses, listening) {
            onReady("\(address.security == nil ? "http" : "https")://\(name):\(channel.localAddress?.port ?? address.port)")
        }
        try? await gracefulShutdown()
        // Before the sockets close: who finds them closed finds the open connections at their last request.
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

/// An address that could not be listened on.
package struct ListenError: Error, CustomStringConvertible {
    /// The address that cannot be listened at.
    package var host: String
    /// The port that cannot be listened at.
    package var port: Int
    /// What the system says.
    package var reason: String

    package var description: String { "cannot listen on \(host.contains(":") ? "[\(host)]" : host):\(port): \(reason)" }
}

extension IOError {
    fileprivate var localizedReason: String {
        errnoCode == EADDRINUSE ? "the address is already in use" : String(cString: strerror(errnoCode))
    }
}
