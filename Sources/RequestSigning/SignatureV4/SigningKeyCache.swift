import Synchronization

/// Derived signing keys by secret and scope, for a server that sees the same few callers all day.
///
/// Memory is bounded by two generations: when the younger one is full it becomes the older, and what nobody asked for
/// meanwhile goes with the previous older one. A key depends on its secret and scope alone, so none is ever stale.
package final class SigningKeyCache: Sendable {
    private struct Origin: Hashable {
        var secret: String
        var scope: CredentialScope
    }

    private struct Generations {
        var young: [Origin: SigningKey] = [:]
        var old: [Origin: SigningKey] = [:]
    }

    private let capacity: Int
    private let generations = Mutex(Generations())

    /// - Parameter capacity: keys in one generation, so that at most twice as many are kept.
    package init(capacity: Int = 1024) {
        self.capacity = max(capacity, 1)
    }

    /// The key for a secret in a scope, derived if it is not at hand.
    package func key(secret: String, scope: CredentialScope) -> SigningKey {
        let origin = Origin(secret: secret, scope: scope)
        if let known = generations.withLock({ $0.young[origin] }) { return known }
        // Derived outside the lock: two callers may do it at once and get the same key.
        let key = generations.withLock { $0.old[origin] } ?? SigningKey(secret: secret, scope: scope)
        generations.withLock { generations in
            if generations.young.count >= capacity {
                generations.old = generations.young
                generations.young.removeAll(keepingCapacity: true)
            }
            generations.young[origin] = key
        }
        return key
    }
}
