import WireFormats

/// The identity pools of the sandbox, with their identities.
///
/// A pool can have a million identities: each change replaces only a branch of their trees.
package struct IdentityPools: Sendable {
    private var poolsByID: TextDictionary<IdentityPool> = [:]
    /// The identities, by the identifier of their pool and their own.
    private var identities: TextDictionary<Table<TextKey, PoolIdentity>> = [:]
    /// The identifiers of pools, by those of their identities.
    private var poolOfIdentity: Table<TextKey, String> = [:]
    /// The identifiers of identities, by pool and login.
    private var owners: Table<TextKey, String> = [:]
    /// The number of guests, by pool.
    private var guestCounts: TextDictionary<Int> = [:]

    /// Whether there is no pool.
    package var isEmpty: Bool { poolsByID.isEmpty }

    /// The pools, sorted by identifier.
    package var pools: [IdentityPool] { poolsByID.values.sorted { $0.id < $1.id } }

    /// Returns the pool with an identifier.
    package func pool(_ id: String) -> IdentityPool? { poolsByID[id] }

    /// Returns the identity with an identifier.
    package func identity(_ id: String) -> PoolIdentity? { poolOfIdentity[id].flatMap { identities[$0]?[id] } }

    /// Returns the identity of a login.
    package func identity(of login: PoolIdentity.Login, in pool: String) -> PoolIdentity? {
        owners[Self.key(login, pool)].flatMap { identities[pool]?[$0] }
    }

    /// Returns the identities of a pool whose identifiers follow one, sorted.
    /// - Parameter id: empty for all identities.
    package func identities(of pool: String, after id: String = "") -> some Sequence<PoolIdentity> {
        (identities[pool] ?? [:]).ordered(after: TextKey(id)).lazy.map { $0.value }
    }

    /// Returns whether a pool has identities.
    package func hasIdentities(_ pool: String) -> Bool { !(identities[pool]?.isEmpty ?? true) }

    /// Returns the number of guests of a pool: of identities that never had a login.
    package func guestCount(of pool: String) -> Int { guestCounts[pool] ?? 0 }

    /// No identifier of a pool and no key of logins contains a line feed.
    private static func key(_ login: PoolIdentity.Login, _ pool: String) -> String { "\(pool)\n\(login.provider)\n\(login.subject)" }

    mutating func insert(_ record: IdentityPoolRecord) {
        switch record {
        case .pool(let pool): poolsByID[pool.id] = pool
        case .identity(let identity):
            if let old = self.identity(identity.id) {
                forgetLogins(of: old)
                if !old.isAuthenticated { guestCounts[old.pool, default: 0] -= 1 }
            }
            if !identity.isAuthenticated { guestCounts[identity.pool, default: 0] += 1 }
            for login in identity.logins { owners[Self.key(login, identity.pool)] = identity.id }
            identities[identity.pool, default: [:]][identity.id] = identity
            poolOfIdentity[identity.id] = identity.pool
        }
    }

    mutating func forget(_ name: String) {
        switch IdentityPoolRecord.Key(name) {
        case .pool(let id): poolsByID[id] = nil
        case .identity(let id):
            guard let identity = identity(id) else { return }
            forgetLogins(of: identity)
            if !identity.isAuthenticated { guestCounts[identity.pool, default: 0] -= 1 }
            identities[identity.pool]?[id] = nil
            poolOfIdentity[id] = nil
        case nil: break
        }
    }

    /// Another identity may have taken over a login already.
    private mutating func forgetLogins(of identity: PoolIdentity) {
        for login in identity.logins {
            let key = Self.key(login, identity.pool)
            if let owner = owners[key], owner == identity.id { owners[key] = nil }
        }
    }
}

/// One record of the identity pools.
package enum IdentityPoolRecord: Sendable, Codable {
    case pool(IdentityPool)
    case identity(PoolIdentity)

    /// The name of the record among those of the identity pools.
    package var name: String {
        switch self {
        case .pool(let pool): Key.pool(pool.id).name
        case .identity(let identity): Key.identity(identity.id).name
        }
    }

    enum Key {
        case pool(String)
        case identity(String)

        var name: String {
            switch self {
            case .pool(let id): "pool/\(id)"
            case .identity(let id): "identity/\(id)"
            }
        }

        init?(_ name: String) {
            let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch (parts.first, parts.count) {
            case ("pool", 2): self = .pool(parts[1])
            case ("identity", 2): self = .identity(parts[1])
            default: return nil
            }
        }
    }
}
