import NIOCore
import Synchronization
import WireFormats

/// The responses of the process that were built as a whole, such as listings, and that their clients do not read.
///
/// They cannot be read from the store in pieces, and a new one cannot wait for long: its client may be quick. So when they are too many, the
/// connection whose client has not read for the longest time is closed. A single response may hold more than all together.
final class UnreadDocuments: Sendable {
    /// How long a client may not read although there are too many, unless they hold twice the limit.
    private static let leastTime = TimeAmount.seconds(1)

    private struct Document {
        let bytes: Int
        /// When the client read last.
        var since: NIODeadline
        /// The number of its present place in the order.
        var place: UInt64
        let cutOff: @Sendable () -> Void
    }

    private struct State {
        let limit: Int
        var documents: [UInt64: Document] = [:]
        /// The identifiers in the order in which the clients read last, with places that are no longer theirs.
        var order = CircularBuffer<(id: UInt64, place: UInt64)>()
        var bytes = 0
        var last: UInt64 = 0
        var lastPlace: UInt64 = 0
        /// How many were cut off.
        var cuts = 0
        /// Cuts off documents once they are old enough; only while there are too many.
        var timer: Scheduled<Void>?

        var isExceeded: Bool { bytes > limit && documents.count > 1 }

        /// When the oldest document may be cut off.
        var due: NIODeadline? {
            guard let oldest = order.first, let document = documents[oldest.id] else { return nil }
            return bytes > 2 * limit ? .distantPast : document.since + leastTime
        }

        /// Returns the place behind all others.
        mutating func nextPlace(of id: UInt64) -> UInt64 {
            lastPlace += 1
            order.append((id, lastPlace))
            return lastPlace
        }

        /// Removes places at the front that are no longer those of their documents.
        mutating func trimOrder() {
            while let first = order.first, documents[first.id]?.place != first.place { order.removeFirst() }
        }

        mutating func remove(_ id: UInt64) -> Document? {
            guard let document = documents.removeValue(forKey: id) else { return nil }
            bytes -= document.bytes
            trimOrder()
            if !isExceeded, let timer {
                timer.cancel()
                self.timer = nil
            }
            return document
        }

        /// Removes the oldest documents, as far as there are too many.
        mutating func takeStalled(at now: NIODeadline) -> [Document] {
            var stalled: [Document] = []
            while isExceeded, let due, due <= now, let oldest = order.first, let document = remove(oldest.id) { stalled.append(document) }
            cuts += stalled.count
            return stalled
        }
    }

    private let state: Mutex<State>

    /// - Parameter limit: how many bytes they may hold together.
    init(limit: Int) { state = Mutex(State(limit: limit)) }

    /// How many documents were cut off until now.
    var cuts: Int { state.withLock { $0.cuts } }

    /// Adds a document, and cuts off others if they hold too much, now or when they are old enough.
    /// - Parameters:
    ///   - bytes: the memory that it needs until all of it is sent.
    ///   - loop: the event loop that runs this, with its clock.
    ///   - cutOff: closes the connection, on any thread.
    /// - Returns: an identifier for ``remove(_:)``.
    func add(_ bytes: Int, on loop: any EventLoop, cutOff: @escaping @Sendable () -> Void) -> UInt64 {
        let now = loop.now
        let (id, stalled) = state.withLock { state in
            state.last += 1
            state.documents[state.last] = Document(bytes: bytes, since: now, place: state.nextPlace(of: state.last), cutOff: cutOff)
            state.bytes += bytes
            let stalled = state.takeStalled(at: now)
            if state.timer == nil { schedule(in: &state, on: loop) }
            return (state.last, stalled)
        }
        for document in stalled { document.cutOff() }
        return id
    }

    /// Notes that the client has read a part of a document.
    func renew(_ id: UInt64, at now: NIODeadline) {
        state.withLock { state in
            guard state.documents[id] != nil else { return }
            let place = state.nextPlace(of: id)
            state.documents[id]?.since = now
            state.documents[id]?.place = place
            state.trimOrder()
        }
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
