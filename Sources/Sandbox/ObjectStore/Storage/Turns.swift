import NIOCore
import Synchronization
import WireFormats

/// Lets work that needs much memory be done by few at a time, in the order in which they come.
///
/// Requests that wait together would otherwise go on together: each would fill its memory before that of the first one is counted or free.
package final class Turns: Sendable {
    private struct State {
        var taken = 0
        var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()

        /// Takes a turn if one is free.
        mutating func take(_ limit: Int) -> Bool {
            guard taken < limit else { return false }
            taken += 1
            return true
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many have their turn at a time.
    package init(limit: Int) { self.limit = limit }

    /// How many wait for their turn.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Suspends until it is the caller's turn, which lasts until ``end()``.
    package func take() async {
        if state.withLock({ $0.take(limit) }) { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.take(limit) { return true }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Ends a turn. The one that waits longest has it next.
    package func end() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.taken -= 1 }
            return next
        }
        next?.resume()
    }
}
