import WireFormats

/// The user pools of the sandbox, with their clients, people and groups.
package struct UserPools: Sendable {
    private var poolsByID: Table<TextKey, UserPool> = [:]
    private var clientsByID: Table<TextKey, UserPoolClient> = [:]
    /// By pool and `sub`.
    private var usersBySub: Table<TextKey, UserPoolUser> = [:]
    private var groupsByName: Table<TextKey, UserPoolGroup> = [:]
    /// The `sub` of people by pool and folded username.
    private var subsByName: Table<TextKey, String> = [:]
    /// The `sub` of people by pool, attribute and folded value, for what can be an alias.
    private var subsByAlias: Table<TextKey, [String]> = [:]
    /// The number of people who have not confirmed their sign-up, by pool.
    private var unconfirmedCounts: TextDictionary<Int> = [:]

    /// The attributes that can be aliases or usernames.
    package static let aliases = ["email", "phone_number", "preferred_username"]

    /// Whether there is no pool.
    package var isEmpty: Bool { poolsByID.isEmpty }

    /// The pools, sorted by identifier.
    package var pools: [UserPool] { poolsByID.values.sorted { $0.id < $1.id } }

    /// Returns the pool with an identifier; `nil` if there is none.
    package func pool(_ id: String) -> UserPool? { poolsByID[id] }

    /// Returns the client with an identifier; `nil` if there is none.
    package func client(_ id: String) -> UserPoolClient? { clientsByID[id] }

    /// Returns the clients of a pool, sorted by identifier.
    package func clients(of pool: String) -> [UserPoolClient] {
        clientsByID.values.filter { $0.pool == pool }.sorted { $0.id < $1.id }
    }

    /// Returns the person of a pool with a `sub`; `nil` if there is none.
    package func user(sub: String, in pool: String) -> UserPoolUser? { usersBySub[Self.key(pool, sub)] }

    /// Returns the person with a username, without regard to aliases; `nil` if there is none.
    package func user(named name: String, in pool: UserPool) -> UserPoolUser? {
        subsByName[Self.key(pool.id, pool.folded(name))].flatMap { user(sub: $0, in: pool.id) }
    }

    /// Returns the person whom a text identifies at sign-in: by username, by `sub`, by a username attribute or by a verified alias.
    package func user(signingInAs name: String, in pool: UserPool) -> UserPoolUser? {
        if let user = user(named: name, in: pool) { return user }
        if let user = user(sub: name, in: pool.id) { return user }
        for attribute in pool.usernameAttributes {
            if let user = users(with: attribute, name, in: pool).first { return user }
        }
        for attribute in pool.aliasAttributes {
            let users = users(with: attribute, name, in: pool)
            if let user = users.first(where: { attribute == "preferred_username" || $0.isVerified(attribute) }) { return user }
        }
        return nil
    }

    /// Returns the people with the value of an attribute that can be an alias.
    package func users(with attribute: String, _ value: String, in pool: UserPool) -> [UserPoolUser] {
        (subsByAlias[Self.key(pool.id, attribute, pool.folded(value))] ?? []).compactMap { user(sub: $0, in: pool.id) }
    }

    /// Returns people of a pool, ordered by `sub`.
    /// - Parameter sub: the `sub` after which the first one comes; empty for the first person.
    package func users(of pool: String, after sub: String = "") -> some Sequence<UserPoolUser> {
        usersBySub.ordered(after: Self.key(pool, sub)).lazy.map { $0.value }.prefix { $0.pool == pool }
    }

    /// Returns the number of people of a pool who have not confirmed their sign-up.
    package func unconfirmedCount(of pool: String) -> Int { unconfirmedCounts[pool] ?? 0 }

    /// Returns the groups of a pool, ordered by name.
    package func groups(of pool: String) -> [UserPoolGroup] {
        Array(groupsByName.ordered(after: Self.key(pool, "")).lazy.map { $0.value }.prefix { $0.pool == pool })
    }

    /// Returns the group of a pool with a name; `nil` if there is none.
    package func group(_ name: String, in pool: String) -> UserPoolGroup? { groupsByName[Self.key(pool, name)] }

    /// Returns the groups of a person that exist, in the order of their precedence, then of their names.
    package func groups(of user: UserPoolUser) -> [UserPoolGroup] {
        user.groups.compactMap { group($0, in: user.pool) }.sorted { left, right in
            let (first, second) = (left.precedence ?? .max, right.precedence ?? .max)
            return first == second ? left.name < right.name : first < second
        }
    }

    mutating func insert(_ record: UserPoolRecord) {
        switch record {
        case .pool(let pool): poolsByID[pool.id] = pool
        case .client(let client): clientsByID[client.id] = client
        case .group(let group): groupsByName[Self.key(group.pool, group.name)] = group
        case .user(let user):
            forgetUser(Self.key(user.pool, user.sub))
            usersBySub[Self.key(user.pool, user.sub)] = user
            if user.status == .unconfirmed { unconfirmedCounts[user.pool, default: 0] += 1 }
            for key in nameKeys(of: user) { subsByName[key] = user.sub }
            for key in aliasKeys(of: user) { subsByAlias[key] = (subsByAlias[key] ?? []) + [user.sub] }
        }
    }

    mutating func forget(_ name: String) {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = UserPoolRecord.Kind(rawValue: String(parts[0])) else { return }
        let key = TextKey(String(parts[1]))
        switch kind {
        case .pool: poolsByID[key] = nil
        case .client: clientsByID[key] = nil
        case .group: groupsByName[key] = nil
        case .user: forgetUser(key)
        }
    }

    private mutating func forgetUser(_ key: TextKey) {
        guard let user = usersBySub[key] else { return }
        if user.status == .unconfirmed { unconfirmedCounts[user.pool, default: 0] -= 1 }
        for key in nameKeys(of: user) { subsByName[key] = nil }
        for key in aliasKeys(of: user) {
            let others = (subsByAlias[key] ?? []).filter { !$0.equals(user.sub) }
            subsByAlias[key] = others.isEmpty ? nil : others
        }
        usersBySub[key] = nil
    }

    /// A pool's record precedes those of its people, by which their names are folded.
    private func nameKeys(of user: UserPoolUser) -> [TextKey] {
        guard let pool = poolsByID[user.pool] else { return [] }
        return [Self.key(pool.id, pool.folded(user.username))]
    }

    private func aliasKeys(of user: UserPoolUser) -> [TextKey] {
        guard let pool = poolsByID[user.pool] else { return [] }
        return Self.aliases.compactMap { attribute in
            user[attribute: attribute].map { Self.key(pool.id, attribute, pool.folded($0)) }
        }
    }

    /// Identifiers of pools have no slashes.
    static func key(_ pool: String, _ rest: String...) -> TextKey { TextKey(([pool] + rest).joined(separator: "/")) }
}

/// One record of the user pools.
package enum UserPoolRecord: Sendable, Codable {
    case pool(UserPool)
    case client(UserPoolClient)
    case user(UserPoolUser)
    case group(UserPoolGroup)

    /// The kinds of records. In the order of their names, those of people follow the pools.
    enum Kind: String {
        case client, group, pool, user
    }

    /// The name of the record among those of the user pools.
    package var name: String {
        switch self {
        case .pool(let pool): Self.name(.pool, TextKey(pool.id))
        case .client(let client): Self.name(.client, TextKey(client.id))
        case .user(let user): Self.name(.user, UserPools.key(user.pool, user.sub))
        case .group(let group): Self.name(.group, UserPools.key(group.pool, group.name))
        }
    }

    private static func name(_ kind: Kind, _ key: TextKey) -> String { "\(kind.rawValue)/\(key.text)" }
}
