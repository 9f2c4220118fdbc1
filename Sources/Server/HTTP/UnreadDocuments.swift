import NIOCore
import ObjectStore
import Synchronization
import WireFormats

/// The responses of the process that were built as a whole, such as listings, and that their clients do not read.
///
/// They cannot be read from the store in pieces, and a new one cannot wait for long: its client may be quick. So when they are too many, the
/// connection whose client has not read for the longest time is closed. Those of which nothing was read are cut off before those that are
/// read steadily, although they came later. A single response may hold more than all together.
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

    /// Identifiers of documents by their places, with places that are no longer theirs.
    private struct Order {
        private(set) var places = CircularBuffer<(id: UInt64, place: UInt64)>()

        var first: (id: UInt64, place: UInt64)? { places.first }

        /// Adds a place behind all others. As long as the first document keeps its place, outdated ones gather behind it: they are removed
        /// once they are the most.
        mutating func append(_ id: UInt64, _ place: UInt64, of documents: [UInt64: Document]) {
            places.append((id, place))
            if places.count > 2 * documents.count + 8 { places.removeAll { documents[$0.id]?.place != $0.place } }
        }

        /// Removes outdated places at the front.
        mutating func trim(_ documents: [UInt64: Document]) {
            while let first = places.first, documents[first.id]?.place != first.place { places.removeFirst() }
        }
    }

    private struct State {
        let limit: Int
        var documents: [UInt64: Document] = [:]
        /// The documents of which the client has read nothing since they were added, the oldest first.
        var unread = Order()
        /// The others, in the order in which the clients read last.
        var read = Order()
        var bytes = 0
        var last: UInt64 = 0
        var lastPlace: UInt64 = 0
        /// How many were cut off.
        var cuts = 0
        /// Cuts off documents once they are old enough; only while there are too many.
        var timer: Scheduled<Void>?

        var isExceeded: Bool { bytes > limit && documents.count > 1 }

        /// The document whose client has not read for the longest time.
        private var oldest: (id: UInt64, document: Document)? {
            [unread.first, read.first].compactMap { $0 }.min { $0.place < $1.place }.flatMap { first in
                documents[first.id].map { (first.id, $0) }
            }
        }

        private var isFlooded: Bool { bytes > 2 * limit }

        /// When the next document may be cut off.
        var due: NIODeadline? { isFlooded ? .distantPast : oldest.map { $0.document.since + leastTime } }

        /// Adds a document at the end of those of which nothing is read.
        mutating func add(_ bytes: Int, at now: NIODeadline, _ cutOff: @escaping @Sendable () -> Void) -> UInt64 {
            last += 1
            lastPlace += 1
            documents[last] = Document(bytes: bytes, since: now, place: lastPlace, cutOff: cutOff)
            unread.append(last, lastPlace, of: documents)
            self.bytes += bytes
            return last
        }

        mutating func renew(_ id: UInt64, at now: NIODeadline) {
            guard documents[id] != nil else { return }
            lastPlace += 1
            documents[id]?.since = now
            documents[id]?.place = lastPlace
            read.append(id, lastPlace, of: documents)
            trimOrders()
        }

        private mutating func trimOrders() {
            unread.trim(documents)
            read.trim(documents)
        }

        mutating func remove(_ id: UInt64) -> Document? {
            guard let document = documents.removeValue(forKey: id) else { return nil }
            bytes -= document.bytes
            trimOrders()
            if !isExceeded, let timer {
                timer.cancel()
                self.timer = nil
            }
            return document
        }

        /// Returns the document to be cut off next: one whose client has not read for the least time, or else, if they hold twice the limit,
        /// one of which nothing was read, or else the one that was not read for the longest time. The newest has its chance: its client may be
        /// quick.
        private func stalled(at now: NIODeadline) -> UInt64? {
            if let oldest, oldest.document.since + leastTime <= now { return oldest.id }
            guard isFlooded else { return nil }
            if let first = unread.first, first.id != last { return first.id }
            return read.first?.id
        }

        /// Removes stalled documents, as far as there are too many.
        mutating func takeStalled(at now: NIODeadline) -> [Document] {
            var stalled: [Document] = []
            while isExceeded, let id = self.stalled(at: now), let document = remove(id) { stalled.append(document) }
            cuts += stalled.count
            return stalled
        }
    }

    private let state: Mutex<State>
    /// The turns of the requests that came while memory was used up.
    let turns = Turns(limit: 1)

    /// - Parameter limit: how many bytes they may hold together.
    init(limit: Int) { state = Mutex(State(limit: limit)) }

    /// How many documents were cut off until now.
    var cuts: Int { state.withLock { $0.cuts } }

    /// How many places are remembered, outdated ones included.
    var places: Int { state.withLock { $0.unread.places.count + $0.read.places.count } }

    /// Adds a document, and cuts off others if they hold too much, now or when they are old enough.
    /// - Parameters:
    ///   - bytes: the memory that it needs until all of it is sent.
    ///   - loop: the event loop that runs this, with its clock.
    ///   - cutOff: closes the connection, on any thread.
    /// - Returns: an identifier for ``remove(_:)``.
    func add(_ bytes: Int, on loop: any EventLoop, cutOff: @escaping @Sendable () -> Void) -> UInt64 {
        let now = loop.now
        let (id, stalled) = state.withLock { state in
            let id = state.add(bytes, at: now, cutOff)
            let stalled = state.takeStalled(at: now)
            if state.timer == nil { schedule(in: &state, on: loop) }
            return (id, stalled)
        }
        for document in stalled { document.cutOff() }
        return id
    }

    /// Notes that the client has read a part of a document.
    func renew(_ id: UInt64, at now: NIODeadline) { state.withLock { $0.renew(id, at: now) } }

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
