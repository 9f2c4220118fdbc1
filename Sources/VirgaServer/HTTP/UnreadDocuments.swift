import NIOCore
import Synchronization
import WireFormats

/// The responses of the process that were built as a whole, such as listings, and that their clients do not read.
///
/// They cannot be read from the store in pieces, and a new one cannot wait: its client may be quick. So when they are too many, the connection
/// whose client has not read for the longest time is closed.
final class UnreadDocuments: Sendable {
    /// How long a client may not read even if there are too many.
    private static let leastTime = TimeAmount.seconds(1)

    private struct Document {
        let bytes: Int
        let since: NIODeadline
        let cutOff: @Sendable () -> Void
    }

    private struct State {
        var documents: [UInt64: Document] = [:]
        /// The identifiers in the order of arrival, with some that are gone.
        var order = CircularBuffer<UInt64>()
        var bytes = 0
        var last: UInt64 = 0

        mutating func remove(_ id: UInt64) -> Document? {
            guard let document = documents.removeValue(forKey: id) else { return nil }
            bytes -= document.bytes
            while let first = order.first, documents[first] == nil { order.removeFirst() }
            return document
        }
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: how many bytes they may hold together.
    init(limit: Int) { self.limit = limit }

    /// Adds a document, and cuts off others if they hold too much.
    /// - Parameter cutOff: closes the connection, on any thread.
    /// - Returns: an identifier for ``remove(_:)``.
    func add(_ bytes: Int, at now: NIODeadline, cutOff: @escaping @Sendable () -> Void) -> UInt64 {
        let (id, stalled) = state.withLock { state in
            state.last += 1
            state.documents[state.last] = Document(bytes: bytes, since: now, cutOff: cutOff)
            state.order.append(state.last)
            state.bytes += bytes
            var stalled: [Document] = []
            while state.bytes > limit, let oldest = state.order.first, let document = state.documents[oldest],
                now - document.since >= Self.leastTime, let removed = state.remove(oldest)
            {
                stalled.append(removed)
            }
            return (state.last, stalled)
        }
        for document in stalled { document.cutOff() }
        return id
    }

    /// Removes a document that was sent, or whose connection has ended.
    func remove(_ id: UInt64) { _ = state.withLock { $0.remove(id) } }
}
