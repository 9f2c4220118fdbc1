import Caching

/// Key sets that servers publish, each fetched when a key in it is first needed. Callers that need a set at the same time share one fetch.
///
/// How long a set may be used, how a key is found in it, and how it is fetched are the caller's decisions.
package final class KeySetCache<Place: Hashable & Sendable, KeySet: Sendable>: Sendable {
    /// Why a set is fetched.
    package enum Reason: Sendable {
        /// There is no set, or it has expired.
        case noSet
        /// The set lacks the key.
        case noKey
    }

    private let sets: SingleFlightCache<Place, KeySet>

    /// Creates an empty cache.
    /// - Parameter capacity: the maximum number of cached sets.
    package init(capacity: Int) { sets = SingleFlightCache(capacity: capacity) }

    /// Finds a key. A set that has expired, or lacks the key, is fetched again.
    /// - Parameters:
    ///   - place: where the set is published.
    ///   - isFresh: whether a cached set may be used.
    ///   - find: finds the key in a set.
    ///   - admit: throws if a fresh set without the key must not be fetched again yet.
    ///   - fetch: fetches the set.
    /// - Returns: the key; `nil` if the fetched set lacks it.
    /// - Throws: the errors of `admit` and `fetch`.
    package func find<Key>(
        at place: Place, isFresh: (KeySet) -> Bool, find: (KeySet) -> Key?, admit: (KeySet) throws -> Void = { _ in },
        fetch: @escaping @Sendable (Reason) async throws -> KeySet
    ) async throws -> Key? {
        let known = sets.entry(for: place)
        var reason = Reason.noSet
        if let set = known?.value, isFresh(set) {
            if let key = find(set) { return key }
            try admit(set)
            reason = .noKey
        }
        return find(try await sets.fetch(place, after: known) { [reason] in try await fetch(reason) })
    }

    /// Returns how many callers wait for the set of a place.
    func waiters(for place: Place) -> Int { sets.waiters(for: place) }
}
