import NIOCore
import NIOSSL
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The open connections of the process, on all its listeners.
///
/// Each takes a descriptor. Some are kept for everything else that needs one: readers of the database, requests to other servers.
final class Connections: Sendable {
    /// Descriptors that are never used for connections, at most a quarter of all.
    private static let reserve = 64

    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var waiting: [@Sendable () -> Void] = []
        var isEnding = false
    }

    private let state = Mutex(State())
    /// How many connections are accepted at the same time.
    let most: Int

    /// - Parameter descriptors: how many the process may have open, `RLIMIT_NOFILE`.
    init(descriptors: Int = sysconf(Int32(_SC_OPEN_MAX))) {
        // -1 stands for no limit.
        most = descriptors < 0 ? .max : descriptors - min(Self.reserve, descriptors / 4)
    }

    /// - Returns: whether there is room for another one.
    func add(_ channel: any Channel) -> Bool {
        let (hasRoom, isLate) = state.withLock { state in
            state.open[ObjectIdentifier(channel)] = channel
            return (state.open.count < most, state.isEnding)
        }
        channel.closeFuture.whenComplete { [self] _ in remove(channel) }
        if isLate { channel.close(promise: nil) }
        return hasRoom
    }

    private func remove(_ channel: any Channel) {
        let waiting = state.withLock { state -> [@Sendable () -> Void] in
            state.open[ObjectIdentifier(channel)] = nil
            guard !state.waiting.isEmpty, state.open.count < most else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for goOn in waiting { goOn() }
    }

    /// Calls back, on any thread, once the next connection has closed and there is room.
    func whenOneCloses(_ goOn: @escaping @Sendable () -> Void) { state.withLock { $0.waiting.append(goOn) } }

    var count: Int { state.withLock { $0.open.count } }

    /// Whether there is room for another connection.
    var hasRoom: Bool { state.withLock { $0.open.count < most } }

    /// Ends idle connections, and tells the others that the request they are at is their last. Connections that are added from now on
    /// are closed. Returns when every connection has heard of it.
    func quiesce() async {
        let channels = state.withLock { state in
            state.isEnding = true
            return Array(state.open.values)
        }
        let told = channels.map { channel in
            channel.eventLoop.submit { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        }
        for event in told { try? await event.get() }
    }

    /// Returns when all connections are closed.
    /// - Parameter grace: how long to wait; connections that are open then are closed.
    func drain(within grace: TimeAmount, on loop: any EventLoop) async {
        let channels = state.withLock { Array($0.open.values) }
        let closing = loop.scheduleTask(in: grace) {
            for channel in channels { channel.pipeline.closeAtOnce() }
        }
        for channel in channels { try? await channel.closeFuture.get() }
        closing.cancel()
    }
}

extension ChannelPipeline {
    /// Closes the connection without waiting for the peer to confirm the end of TLS, for which it has some seconds otherwise.
    func closeAtOnce() {
        guard eventLoop.inEventLoop else { return eventLoop.execute { self.closeAtOnce() } }
        close(promise: nil)
        // What is closed by TLS's own context goes past it.
        try? syncOperations.context(handlerType: NIOSSLServerHandler.self).close(promise: nil)
    }
}
