import WireFormats

/// A cache of derived signing keys by secret and scope. A key depends only on its secret and scope, so no entry is ever stale.
package final class SigningKeyCache: Sendable {
    private final class Entry: Sendable {
        let secret: String
        let scope: CredentialScope
        let key: ScopedSigningKey

        init(secret: String, scope: CredentialScope) {
            self.secret = secret
            self.scope = scope
            key = ScopedSigningKey(secret: secret, scope: scope)
        }
    }

    private let entries: SlotCache<Entry>

    /// Creates an empty cache.
    /// - Parameter capacity: the number of keys.
    package init(capacity: Int = 2048) { entries = SlotCache(capacity: capacity) }

    /// The key for a secret in a scope, derived if it is not at hand.
    package func key(secret: String, scope: CredentialScope) -> ScopedSigningKey {
        var hash = SlotHash()
        hash.combine(secret)
        hash.combine(scope.date)
        hash.combine(scope.region)
        hash.combine(scope.service)
        if let known = entries.value(hash, where: { $0.secret == secret && $0.scope == scope }) { return known.key }
        // Derived outside the lock: two callers may do it at once and get the same key.
        let entry = Entry(secret: secret, scope: scope)
        entries.insert(entry, hash)
        return entry.key
    }
}
