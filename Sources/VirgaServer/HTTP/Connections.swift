import NIOCore
import Synchronization

/// The open connections of a listener, so that its end can wait for them.
final class Connections: Sendable {
    private let open = Mutex<[ObjectIdentifier: any Channel]>([:])

    func add(_ channel: any Channel) {
        open.withLock { $0[ObjectIdentifier(channel)] = channel }
        channel.closeFuture.whenComplete { [self] _ in open.withLock { $0[ObjectIdentifier(channel)] = nil } }
    }

    /// Lets every connection finish the request that it is at, and returns when all are closed.
    /// - Parameter grace: how long; what is open then is closed as it stands.
    func drain(within grace: TimeAmount, on loop: any EventLoop) async {
        let channels = open.withLock { Array($0.values) }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        let closing = loop.scheduleTask(in: grace) {
            for channel in channels { channel.close(promise: nil) }
        }
        for channel in channels { try? await channel.closeFuture.get() }
        closing.cancel()
    }
}
