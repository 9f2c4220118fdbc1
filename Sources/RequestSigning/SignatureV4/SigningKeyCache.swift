import Caching

/// A cache of derived signing keys by secret and scope. A key depends only on its secret and scope, so no entry is ever stale.
package final class SigningKeyCache: Sendable {
    private struct Origin: Hashable {
        var secret: String
        var scope: CredentialScope
    }

    private let keys: BoundedCache<Origin, ScopedSigningKey>

    /// Creates an empty cache.
    /// - Parameter capacity: the number of keys.
    package init(capacity: Int = 2048) { keys = BoundedCache(capacity: capacity) }

    /// The key for a secret in a scope, derived if it is not at hand.
    package func key(secret: String, scope: CredentialScope) -> ScopedSigningKey {
        let origin = Origin(secret: secret, scope: scope)
        if let known = keys.value(for: origin) { return known }
        // Derived outside the lock: two callers may do it at once and get the same key.
        let key = ScopedSigningKey(secret: secret, scope: scope)
        keys.insert(key, for: origin)
        return key
    }
}
