import Synchronization
import WireFormats

/// Whether upstreams answered the last requests, for all sandboxes of the process. Nothing is sent to find out.
package final class UpstreamHealth: Sendable {
    /// How the last request to an upstream ended.
    package enum State: Sendable {
        /// No request was sent so far.
        case unused
        /// The upstream answered, with whatever status.
        case answering
        /// The upstream did not answer. The value is the cause, such as `connection refused`.
        case unreachable(String)
    }

    private let states = Mutex(TextDictionary<State>())

    /// Creates the state of upstreams that were not used yet.
    package init() {}

    /// Records how a request ended.
    func note(_ state: State, of upstream: String) { states.withLock { $0[upstream] = state } }

    /// Returns how the last request to an upstream ended.
    /// - Parameter upstream: the URL.
    package func state(of upstream: String) -> State { states.withLock { $0[upstream] } ?? .unused }
}
