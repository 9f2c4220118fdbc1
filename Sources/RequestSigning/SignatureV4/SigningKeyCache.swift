import Caching

/// A cache of derived signing keys by secret and scope. A key depends only on its secret and scope, so no entry is ever stale.
package final class SigningKeyCache: Sendable {
    private struct Origin: Hashable {
        var secret: String
        var scope: CredentialScope
    }

    private let keys: BoundedCache<Origin, SigningKey>

    /// Creates an empty cache.
    /// - Parameter capacity: the number of keys.
    package init(capacity: Int = 2048) { keys = BoundedCache(capacity: capacity) }

    /// Returns the key for a secret in a scope, from the cache or newly derived.
    package func key(secret: String, scope: CredentialScope) -> SigningKey {
        let origin = Origin(secret: secret, scope: scope)
        if let known = keys.value(for: origin) { return known }
        // Derived outside the lock: two callers may derive the same key at the same time.
        let key = SigningKey(secret: secret, scope: scope)
        keys.insert(key, for: origin)
        return key
    }
}
