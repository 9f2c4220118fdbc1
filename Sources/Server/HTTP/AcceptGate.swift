import Logging
import NIOCore
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Accepts connections while file descriptors are available. Others wait in the kernel's queue until a connection closes.
final class AcceptGate: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// How long to wait for a closing connection if no descriptor was free. Other code may have freed one by then.
    private static let retryInterval = TimeAmount.milliseconds(500)

    private let connections: Connections
    private let logger: Logger
    private var isPaused = false
    /// Whether a callback for the next closing connection is registered.
    private var isListening = false
    private var isReported = false

    init(_ connections: Connections, logger: Logger) {
        self.connections = connections
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !connections.add(unwrapInboundIn(data)) {
            pause(context)
            // A connection may have closed in the meantime.
            resume(context)
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        pause(context)
        let gate = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.retryInterval) { gate.value.0.resume(gate.value.1) }
    }

    /// Stops accepting connections. After an error the socket would stay readable, and the event loop would spin.
    private func pause(_ context: ChannelHandlerContext) {
        isPaused = true
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        if !isReported {
            isReported = true
            logger.warning(
                "No file descriptor is free: new connections wait until others close. Raise the limit of open files (ulimit -n)",
                metadata: ["connections": "\(connections.count)"])
        }
        listen(context)
    }

    /// Registers a callback for the next closing connection.
    private func listen(_ context: ChannelHandlerContext) {
        guard !isListening else { return }
        isListening = true
        let gate = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        connections.whenOneCloses {
            loop.execute {
                gate.value.0.isListening = false
                gate.value.0.resume(gate.value.1)
            }
        }
    }

    private func resume(_ context: ChannelHandlerContext) {
        guard isPaused, context.channel.isActive else { return }
        if !connections.hasRoom {
            // Another listener was faster and used the room.
            listen(context)
            // A connection may have closed in the meantime.
            guard connections.hasRoom else { return }
        }
        isPaused = false
        try? context.channel.syncOptions?.setOption(.autoRead, value: true)
    }
}
