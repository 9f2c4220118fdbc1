import Synchronization
package import WireFormats

/// The identifiers of single-use assertions and proofs: their `jti` (RFC 7523 section 3, RFC 9449 section 11.1).
///
/// They are kept in memory, because each is valid only for minutes and every request has one.
package final class UsedIdentifiers: Sendable {
    /// The number of identifiers from which expired ones are removed.
    private static let usual = 4096

    private let state = Mutex(State())

    private struct State {
        /// The expiry of each identifier, in seconds of the wall clock.
        var ends: TextDictionary<Int64> = [:]
        var room = usual
    }

    init() {}

    /// Records an identifier as used.
    /// - Parameters:
    ///   - end: the expiry of the assertion or proof, by the wall clock.
    ///   - now: the current time of the wall clock.
    /// - Returns: whether the identifier was not used before.
    package func take(_ identifier: String, until end: Timestamp, now: Timestamp) -> Bool {
        state.withLock { state in
            if state.ends.count >= state.room {
                state.ends.keep { $1 >= now.seconds }
                state.room = max(Self.usual, state.ends.count * 2)
            }
            if let known = state.ends[identifier], known >= now.seconds { return false }
            state.ends[identifier] = end.seconds
            return true
        }
    }
}
