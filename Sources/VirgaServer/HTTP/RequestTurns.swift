import NIOCore
import Synchronization

/// Lets the requests that came while memory was used up be processed one after another.
///
/// Many of them wait for the same memory. If all went on at once when it is free, each would build its response before the first one is
/// counted among those that nobody reads.
final class RequestTurns: Sendable {
    private struct State {
        var isTaken = false
        var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()
    }

    private let state = Mutex(State())

    /// How many requests wait.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Suspends until it is the caller's turn, which lasts until ``end()``.
    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Ends a turn. The next request has its own.
    func end() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            state.isTaken = next != nil
            return next
        }
        next?.resume()
    }
}
