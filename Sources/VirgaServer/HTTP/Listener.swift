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

/// One listening address.
struct Listener: Service {
    /// How long requests may go on when the server ends.
    private static let grace = TimeAmount.seconds(10)
    /// One read takes up to a piece of an object.
    private static let longestRead = 256 << 10

    let host: String
    let port: Int
    let door: FrontDoor
    /// For TLS; nothing for plain HTTP.
    let security: NIOSSLContext?
    /// Called with the URL that reaches the listener.
    let onReady: @Sendable (String) -> Void

    func run() async throws {
        let connections = Connections()
        let loops = MultiThreadedEventLoopGroup.singleton
        let listening: any Channel
        do {
            listening = try await ServerBootstrap(group: loops)
                .serverChannelOption(.backlog, value: 1024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(
                    .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: Self.longestRead)
                )
                .childChannelOption(.writeBufferWaterMark, value: .init(low: 256 << 10, high: 512 << 10))
                .childChannelInitializer { channel in
                    connections.add(channel)
                    return channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let security {
                            try pipeline.addTLS(security, door)
                        } else {
                            try pipeline.addHTTP1(door, isSecure: false)
                        }
                    }
                }
                .bind(host: host, port: port).get()
        } catch let error as IOError {
            throw ListenError(host: host, port: port, reason: error.localizedReason)
        } catch is SocketAddressError.UnknownHost {
            throw ListenError(host: host, port: port, reason: "there is no such host")
        }
        // An IPv6 address stands in brackets (RFC 3986 section 3.2.2).
        let name = host.contains(":") ? "[\(host)]" : host
        onReady("\(security == nil ? "http" : "https")://\(name):\(listening.localAddress?.port ?? port)")
        try? await gracefulShutdown()
        try? await listening.close()
        await connections.drain(within: Self.grace, on: listening.eventLoop)
    }
}

/// An address that could not be listened on.
package struct ListenError: Error, CustomStringConvertible {
    package var host: String
    package var port: Int
    package var reason: String

    package var description: String { "cannot listen on \(host.contains(":") ? "[\(host)]" : host):\(port): \(reason)" }
}

extension IOError {
    fileprivate var localizedReason: String {
        errnoCode == EADDRINUSE ? "the address is already in use" : String(cString: strerror(errnoCode))
    }
}
