import Calls
import NIOCore
import WireFormats

/// What the streams of one HTTP/2 connection hold together. All of it runs on the connection's event loop.
///
/// Once the budget of the process is used, the streams of a connection take turns, so that a connection holds as little as one of HTTP/1.1.
final class ConnectionShare {
    /// The part of the budget that the long pieces of one connection may use.
    private static let part = 8
    /// The bytes that a connection may hold beyond the budget.
    private static let least = BodyRoom.least.reserved

    private var held = 0
    private var streams: [ObjectIdentifier: ConversationHandler] = [:]
    private var waiting = CircularBuffer<ObjectIdentifier>()
    private var hasTimer = false

    /// Adds a stream.
    func add(_ stream: ConversationHandler) { streams[ObjectIdentifier(stream)] = stream }

    /// Removes a stream that has ended.
    func remove(_ stream: ConversationHandler) { streams[ObjectIdentifier(stream)] = nil }

    /// Returns whether the connection may hold long pieces, too.
    func hasRoom(for count: Int, of memory: ResponseMemory) -> Bool { held + count <= memory.budget / Self.part }

    /// Whether a stream has to wait for the others, beyond the budget.
    var isFull: Bool { held >= Self.least }

    /// Changes the number of held bytes. When there is room, the next waiting stream continues.
    func change(by difference: Int) {
        held += difference
        if !isFull { continueNext() }
    }

    /// Makes a stream wait for its turn.
    func enqueue(_ stream: ConversationHandler, on loop: (any EventLoop)?) {
        waiting.append(ObjectIdentifier(stream))
        if let loop { startTimer(on: loop) }
    }

    /// Continues the next stream that waits. It takes its room in a later turn of the loop.
    private func continueNext() {
        while let next = waiting.popFirst() {
            guard let stream = streams[next], stream.isAwaitingShare else { continue }
            return stream.continueWriting()
        }
    }

    /// Lets a stream continue now and then, because the others may be done without a change, or the process may have memory again.
    private func startTimer(on loop: any EventLoop) {
        guard !hasTimer else { return }
        hasTimer = true
        let share = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: .seconds(1)) {
            share.value.hasTimer = false
            let count = share.value.waiting.count
            for _ in 0..<count { share.value.continueNext() }
        }
    }

    /// Resets the streams whose client has not read for a time.
    func resetStalled(since deadline: NIODeadline) {
        for stream in streams.values where stream.hasStalled(since: deadline) { stream.abort() }
    }
}
