import Synchronization
package import WireFormats

/// The identifiers of what clients sign for one use: the `jti` of assertions and proofs (RFC 7523 section 3, RFC 9449 section 11.1).
///
/// They are kept in memory, since each is good for minutes and every request brings one.
package final class UsedIdentifiers: Sendable {
    /// Beyond so many, those that have ended are forgotten.
    private static let usual = 4096

    private let state = Mutex(State())

    private struct State {
        /// When each ends, in seconds of the wall clock.
        var ends: [String: Int64] = [:]
        var room = usual
    }

    init() {}

    /// Takes an identifier, once.
    /// - Parameters:
    ///   - end: until when what carries it would be accepted, by the wall clock.
    ///   - now: by the wall clock.
    /// - Returns: whether it is new.
    package func take(_ identifier: String, until end: Timestamp, now: Timestamp) -> Bool {
        state.withLock { state in
            if state.ends.count >= state.room {
                state.ends = state.ends.filter { $0.value >= now.seconds }
                state.room = max(Self.usual, state.ends.count * 2)
            }
            if let known = state.ends[identifier], known >= now.seconds { return false }
            state.ends[identifier] = end.seconds
            return true
        }
    }
}
