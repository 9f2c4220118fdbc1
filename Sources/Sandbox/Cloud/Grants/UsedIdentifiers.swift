import Cryptography
import Synchronization
package import WireFormats

/// The identifiers of single-use assertions and proofs: their `jti` (RFC 7523 section 3, RFC 9449 section 11.1).
///
/// They are kept in memory, as hashes, because each is valid only for a short time, every request has one, and clients choose their length. None
/// is forgotten while it is valid. A source that has too many of them gets no further ones accepted until some expire.
package final class UsedIdentifiers: Sendable {
    /// The origin of identifiers. Origins have separate limits, so that those of one origin cannot fill the room of another.
    package enum Origin: Hashable, Sendable {
        /// The assertions of clients that were configured, or that registered with an initial access token.
        case knownClients
        /// The assertions of clients that registered openly, as anyone can.
        case openClients
        /// DPoP proofs, whose keys anyone can create.
        case proofs
        /// The answered challenges of user pools, which need a valid password or a function that makes challenges.
        case challenges
        /// The states of sign-ins at user pools with identity providers, which anyone can begin.
        case providerStates
    }

    /// The result of ``take(_:of:_:until:now:)``.
    package enum Answer: Sendable {
        /// The identifier is new. It is recorded.
        case new
        /// The identifier was used before.
        case used
        /// There are too many valid identifiers. This one is not recorded.
        case tooMany
    }

    /// How many valid identifiers are kept.
    struct Limit {
        /// Those of one source.
        var source: Int
        /// Those of all sources of an origin. 100,000 take about 5 MB.
        var all: Int

        static func usual(_ origin: Origin) -> Limit {
            switch origin {
            case .knownClients: Limit(source: 100_000, all: 1_000_000)
            case .openClients: Limit(source: 1000, all: 1_000_000)
            case .proofs, .challenges, .providerStates: Limit(source: 1_000_000, all: 1_000_000)
            }
        }
    }

    /// Half of a SHA-256 digest. Two texts with the same one would only make the second text count as used.
    private struct Digest: Hashable {
        let halves: SIMD2<UInt64>

        init(_ text: String) {
            var halves = SIMD2<UInt64>.zero
            for (index, byte) in SHA256.hash(text).prefix(16).enumerated() { halves[index / 8] = halves[index / 8] << 8 | UInt64(byte) }
            self.halves = halves
        }
    }

    private struct State {
        /// The expiry of each identifier of each source, in seconds of the wall clock.
        var sources: [Digest: [Digest: Int64]] = [:]
        var count = 0
        /// The number of identifiers from which expired ones are removed.
        var room = usual
        /// When expired ones were last removed.
        var cleaned = Int64.min

        static let usual = 4096

        mutating func take(_ identifier: Digest, of source: Digest, within limit: Limit, until end: Int64, now: Int64) -> Answer {
            if let known = sources[source]?[identifier], known >= now { return .used }
            if count >= room || isFull(source, limit) { removeExpired(at: now) }
            guard !isFull(source, limit) else { return .tooMany }
            if sources[source, default: [:]].updateValue(end, forKey: identifier) == nil { count += 1 }
            return .new
        }

        private func isFull(_ source: Digest, _ limit: Limit) -> Bool {
            count >= limit.all || sources[source]?.count ?? 0 >= limit.source
        }

        /// Removes expired identifiers, at most once a second.
        private mutating func removeExpired(at now: Int64) {
            guard now != cleaned else { return }
            cleaned = now
            sources = sources.compactMapValues { ends in
                let valid = ends.filter { $0.value >= now }
                return valid.isEmpty ? nil : valid
            }
            count = sources.values.reduce(0) { $0 + $1.count }
            room = max(Self.usual, count * 2)
        }
    }

    private let states = Mutex<[Origin: State]>([:])
    private let limit: @Sendable (Origin) -> Limit

    /// - Parameter limit: returns the limit of an origin.
    init(limit: @escaping @Sendable (Origin) -> Limit = Limit.usual) { self.limit = limit }

    /// Records an identifier as used.
    /// - Parameters:
    ///   - source: the client or other source of the identifier; others may use the same identifier.
    ///   - end: the expiry of the assertion or proof, by the wall clock.
    ///   - now: the current time of the wall clock.
    package func take(_ identifier: String, of source: String, _ origin: Origin, until end: Timestamp, now: Timestamp) -> Answer {
        let (identifier, source, limit) = (Digest(identifier), Digest(source), limit(origin))
        return states.withLock { states in
            states[origin, default: State()].take(identifier, of: source, within: limit, until: end.seconds, now: now.seconds)
        }
    }
}
