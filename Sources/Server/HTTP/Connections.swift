import NIOCore
import NIOSSL
import Synchronization
import WireFormats

/// The open connections of the process, on all its listeners.
///
/// Each uses a descriptor. Some descriptors are reserved for other uses: readers of the database, requests to other servers.
final class Connections: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var waiting: [@Sendable () -> Void] = []
        var isEnding = false
        var accepted = 0
    }

    private let state = Mutex(State())
    /// The maximum number of open connections.
    let most: Int

    /// - Parameter descriptors: the descriptors of the process.
    init(descriptors: Descriptors = Descriptors()) { most = descriptors.usable }

    /// Adds a connection.
    /// - Returns: whether there is room for another one.
    func add(_ channel: any Channel) -> Bool {
        let (hasRoom, isLate) = state.withLock { state in
            state.open[ObjectIdentifier(channel)] = channel
            state.accepted += 1
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

    /// Calls `goOn`, on any thread, once the next connection has closed and there is room.
    func whenOneCloses(_ goOn: @escaping @Sendable () -> Void) { state.withLock { $0.waiting.append(goOn) } }

    var count: Int { state.withLock { $0.open.count } }

    /// The number of connections that were ever accepted.
    var accepted: Int { state.withLock { $0.accepted } }

    /// Whether there is room for another connection.
    var hasRoom: Bool { state.withLock { $0.open.count < most } }

    /// Closes idle connections, and marks the current request of the others as their last. Connections that are added later are closed.
    /// Returns after every connection has been notified.
    func quiesce() async {
        let channels = state.withLock { state in
            state.isEnding = true
            return Array(state.open.values)
        }
        await quiesce(channels)
    }

    /// Closes the idle connections to a port of this machine, and marks the current request of the others as their last.
    func quiesce(port: Int) async {
        await quiesce(state.withLock { $0.open.values.filter { $0.localAddress?.port == port } })
    }

    /// Tells every open connection that the process is being drained.
    func announceDrain() {
        for channel in state.withLock({ Array($0.open.values) }) { channel.pipeline.fireUserInboundEventTriggered(DrainEvent()) }
    }

    private func quiesce(_ channels: [any Channel]) async {
        let notifications = channels.map { channel in
            channel.eventLoop.submit { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        }
        for event in notifications { try? await event.get() }
    }

    /// Waits until all connections are closed.
    /// - Parameter grace: how long to wait; connections that are still open then are closed.
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
    /// Closes the connection immediately. Otherwise TLS would wait some seconds for the peer's confirmation.
    func closeAtOnce() {
        guard eventLoop.inEventLoop else { return eventLoop.execute { self.closeAtOnce() } }
        close(promise: nil)
        // Closing from the context of the TLS handler bypasses the handler itself.
        try? syncOperations.context(handlerType: NIOSSLServerHandler.self).close(promise: nil)
    }
}
