import NIOCore
import Synchronization
import WireFormats

/// The responses of the process that were built as a whole, such as listings, and that their clients do not read.
///
/// They cannot be read from the store in pieces, and a new one cannot wait: its client may be quick. So when they are too many, the connection
/// whose client has not read for the longest time is closed. A single response may hold more than all together.
final class UnreadDocuments: Sendable {
    /// How long a client may not read even if there are too many.
    private static let leastTime = TimeAmount.seconds(1)

    private struct Document {
        let bytes: Int
        let since: NIODeadline
        let cutOff: @Sendable () -> Void
    }

    private struct State {
        let limit: Int
        var documents: [UInt64: Document] = [:]
        /// The identifiers in the order of arrival, with some that are gone.
        var order = CircularBuffer<UInt64>()
        var bytes = 0
        var last: UInt64 = 0
        /// Cuts off documents once they are old enough; only while there are too many.
        var timer: Scheduled<Void>?

        var isExceeded: Bool { bytes > limit && documents.count > 1 }

        /// When the oldest document may be cut off.
        var due: NIODeadline? { order.first.flatMap { documents[$0] }.map { $0.since + leastTime } }

        mutating func remove(_ id: UInt64) -> Document? {
            guard let document = documents.removeValue(forKey: id) else { return nil }
            bytes -= document.bytes
            while let first = order.first, documents[first] == nil { order.removeFirst() }
            if !isExceeded, let timer {
                timer.cancel()
                self.timer = nil
            }
            return document
        }

        /// Removes the oldest documents, as far as there are too many.
        mutating func takeStalled(at now: NIODeadline) -> [Document] {
            var stalled: [Document] = []
            while isExceeded, let due, due <= now, let oldest = order.first, let document = remove(oldest) { stalled.append(document) }
            return stalled
        }
    }

    private let state: Mutex<State>

    /// - Parameter limit: how many bytes they may hold together.
    init(limit: Int) { state = Mutex(State(limit: limit)) }

    /// Adds a document, and cuts off others if they hold too much, now or when they are old enough.
    /// - Parameters:
    ///   - loop: the event loop that runs this, with its clock.
    ///   - cutOff: closes the connection, on any thread.
    /// - Returns: an identifier for ``remove(_:)``.
    func add(_ bytes: Int, on loop: any EventLoop, cutOff: @escaping @Sendable () -> Void) -> UInt64 {
        let now = loop.now
        let (id, stalled) = state.withLock { state in
            state.last += 1
            state.documents[state.last] = Document(bytes: bytes, since: now, cutOff: cutOff)
            state.order.append(state.last)
            state.bytes += bytes
            let stalled = state.takeStalled(at: now)
            if state.timer == nil { schedule(in: &state, on: loop) }
            return (state.last, stalled)
        }
        for document in stalled { document.cutOff() }
        return id
    }

    /// Removes a document that was sent, or whose connection has ended.
    func remove(_ id: UInt64) { _ = state.withLock { $0.remove(id) } }

    /// Schedules the next cut if there are too many documents: no later one might come that causes it.
    private func schedule(in state: inout State, on loop: any EventLoop) {
        guard state.isExceeded, let due = state.due else { return }
        state.timer = loop.scheduleTask(deadline: due) { [weak self] in self?.relieve(on: loop) }
    }

    private func relieve(on loop: any EventLoop) {
        let stalled = state.withLock { state in
            state.timer = nil
            let stalled = state.takeStalled(at: loop.now)
            schedule(in: &state, on: loop)
            return stalled
        }
        for document in stalled { document.cutOff() }
    }
}
