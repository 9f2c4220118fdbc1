import WireFormats

/// The user pools of the sandbox, with their clients, people and groups.
package struct UserPools: Sendable {
    private var poolsByID: Table<TextKey, UserPool> = [:]
    private var clientsByID: Table<TextKey, UserPoolClient> = [:]
    /// By pool and `sub`.
    private var usersBySub: Table<TextKey, UserPoolUser> = [:]
    private var groupsByName: Table<TextKey, UserPoolGroup> = [:]
    private var domainsByHost: Table<TextKey, UserPoolDomain> = [:]
    /// By pool and identifier.
    private var resourceServersByID: Table<TextKey, UserPoolResourceServer> = [:]
    /// By pool and name.
    private var providersByName: Table<TextKey, UserPoolIdentityProvider> = [:]
    /// The `sub` of people by pool, and by the name of an identity provider with the identifier there.
    private var subsByLink: Table<TextKey, String> = [:]
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

    /// Returns the domain with a host name; `nil` if there is none.
    package func domain(ofHost host: String) -> UserPoolDomain? { domainsByHost.isEmpty ? nil : domainsByHost[host] }

    /// Returns the domains of a pool, that with a prefix first.
    package func domains(of pool: String) -> [UserPoolDomain] {
        domainsByHost.values.filter { $0.pool == pool }.sorted { !$0.isCustom && $1.isCustom }
    }

    /// Returns the resource servers of a pool, ordered by identifier.
    package func resourceServers(of pool: String) -> [UserPoolResourceServer] {
        Array(resourceServersByID.ordered(after: Self.key(pool, "")).lazy.map { $0.value }.prefix { $0.pool == pool })
    }

    /// Returns the resource server of a pool with an identifier; `nil` if there is none.
    package func resourceServer(_ identifier: String, in pool: String) -> UserPoolResourceServer? {
        resourceServersByID[Self.key(pool, identifier)]
    }

    /// Returns the scopes that exist in a pool.
    package func scopes(of pool: String) -> [String] { UserPoolScope.all + resourceServers(of: pool).flatMap(\.fullScopes) }

    /// Returns the identity providers of a pool, ordered by name.
    package func identityProviders(of pool: String) -> [UserPoolIdentityProvider] {
        Array(providersByName.ordered(after: Self.key(pool, "")).lazy.map { $0.value }.prefix { $0.pool == pool })
    }

    /// Returns the identity provider of a pool with a name; `nil` if there is none.
    package func identityProvider(_ name: String, in pool: String) -> UserPoolIdentityProvider? { providersByName[Self.key(pool, name)] }

    /// Returns the person of a pool who is linked to one of an identity provider; `nil` if there is none.
    package func user(linkedTo provider: String, subject: String, in pool: String) -> UserPoolUser? {
        subsByLink[Self.linkKey(pool, provider, subject)].flatMap { user(sub: $0, in: pool) }
    }

    mutating func insert(_ record: UserPoolRecord) {
        switch record {
        case .pool(let pool): poolsByID[pool.id] = pool
        case .client(let client): clientsByID[client.id] = client
        case .group(let group): groupsByName[Self.key(group.pool, group.name)] = group
        case .domain(let domain): domainsByHost[domain.host] = domain
        case .identityProvider(let provider): providersByName[Self.key(provider.pool, provider.name)] = provider
        case .resourceServer(let server): resourceServersByID[Self.key(server.pool, server.identifier)] = server
        case .user(let user):
            forgetUser(Self.key(user.pool, user.sub))
            usersBySub[Self.key(user.pool, user.sub)] = user
            if user.status == .unconfirmed { unconfirmedCounts[user.pool, default: 0] += 1 }
            for key in nameKeys(of: user) { subsByName[key] = user.sub }
            for key in aliasKeys(of: user) { subsByAlias[key] = (subsByAlias[key] ?? []) + [user.sub] }
            for link in user.identities { subsByLink[Self.linkKey(user.pool, link.provider, link.subject)] = user.sub }
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
        case .domain: domainsByHost[key] = nil
        case .resourceServer: resourceServersByID[key] = nil
        case .identityProvider: providersByName[key] = nil
        case .user: forgetUser(key)
        }
    }

    private mutating func forgetUser(_ key: TextKey) {
        guard let user = usersBySub[key] else { return }
        if user.status == .unconfirmed { unconfirmedCounts[user.pool, default: 0] -= 1 }
        for key in nameKeys(of: user) { subsByName[key] = nil }
        for link in user.identities { subsByLink[Self.linkKey(user.pool, link.provider, link.subject)] = nil }
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

    /// The length separates the name of the provider from the identifier, since both can have any characters.
    private static func linkKey(_ pool: String, _ provider: String, _ subject: String) -> TextKey {
        key(pool, String(provider.utf8.count), provider, subject)
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
    case domain(UserPoolDomain)
    case resourceServer(UserPoolResourceServer)
    case identityProvider(UserPoolIdentityProvider)

    /// The kinds of records. In the order of their names, those of people follow the pools.
    enum Kind: String {
        case client, domain, group, pool, user
        case identityProvider = "provider"
        case resourceServer = "server"
    }

    /// The name of the record among those of the user pools.
    package var name: String {
        switch self {
        case .pool(let pool): Self.name(.pool, TextKey(pool.id))
        case .client(let client): Self.name(.client, TextKey(client.id))
        case .user(let user): Self.name(.user, UserPools.key(user.pool, user.sub))
        case .group(let group): Self.name(.group, UserPools.key(group.pool, group.name))
        case .domain(let domain): Self.name(.domain, TextKey(domain.host))
        case .identityProvider(let provider): Self.name(.identityProvider, UserPools.key(provider.pool, provider.name))
        case .resourceServer(let server): Self.name(.resourceServer, UserPools.key(server.pool, server.identifier))
        }
    }

    private static func name(_ kind: Kind, _ key: TextKey) -> String { "\(kind.rawValue)/\(key.text)" }
}
