import Logging
import NIOCore
import NIOPosix
import NIOSSL
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Opens listeners, those of the process and those of single sandboxes.
struct ListenerBinder: Sendable {
    /// The most bytes of one read, which is the size of a piece of an object.
    private static let longestRead = 256 << 10

    let host: String
    let entrance: Entrance
    let connections: Connections
    /// The TLS context; `nil` if the process has no TLS ports.
    let security: NIOSSLContext?
    let logger: Logger

    /// The host at which clients of this machine reach the listeners. An IPv6 address has brackets (RFC 3986 section 3.2.2).
    var reachableHost: String {
        // A server that listens on all interfaces is reached at loopback.
        let reachable = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        return reachable.contains(":") ? "[\(reachable)]" : reachable
    }

    /// Opens a listener.
    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - sandbox: the sandbox that its requests are for; `nil` if each request says so.
    ///   - purpose: what is served there.
    /// - Throws: `ListenError`.
    func bind(port: Int, secure: Bool, sandbox: String? = nil, purpose: ListenerPurpose = .everything) async throws -> any Channel {
        let (logger, connections, security) = (logger, connections, secure ? security : nil)
        let limits = entrance.limits
        let responder = Responder(entrance: entrance, sandbox: sandbox, purpose: purpose)
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
                    .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 1024, maximum: Self.longestRead)
                )
                .childChannelOption(.writeBufferWaterMark, value: .init(low: 256 << 10, high: 512 << 10))
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let most = limits.connections, connections.count > most {
                            try pipeline.addHandler(ConnectionRefusal(most: most, isSecure: security != nil))
                        } else if let security {
                            try pipeline.addTLS(security, responder, limits)
                        } else {
                            try pipeline.addHTTP1(responder, isSecure: false, limits)
                        }
                    }
                }
                .bind(host: host, port: port).get()
        } catch let error as IOError {
            throw ListenError(host: host, port: port, reason: error.localizedReason, isInUse: error.errnoCode == EADDRINUSE)
        } catch is SocketAddressError.UnknownHost {
            throw ListenError(host: host, port: port, reason: "there is no such host")
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
    /// Whether another process listens there.
    var isInUse = false

    package var description: String { "cannot listen on \(host.contains(":") ? "[\(host)]" : host):\(port): \(reason)" }
}

extension IOError {
    fileprivate var localizedReason: String {
        errnoCode == EADDRINUSE ? "the address is already in use" : String(cString: strerror(errnoCode))
    }
}
