package import WireFormats

extension Directory {
    /// Adds or replaces a record of the user pools.
    package mutating func put(inUserPools record: UserPoolRecord) { put(.userPool(record)) }

    private mutating func remove(_ record: UserPoolRecord) { remove(.init(.userPool, record.name)) }

    /// Deletes a pool with its clients, groups, resource servers and people.
    package mutating func deleteUserPool(_ id: String) throws(UserPoolRefusal) {
        guard let pool = userPools.pool(id) else { throw .noSuchPool(id) }
        guard !pool.isProtected else { throw .protectedPool }
        guard userPools.domains(of: id).isEmpty else { throw .poolWithDomain }
        for user in Array(userPools.users(of: id)) { remove(.user(user)) }
        for group in userPools.groups(of: id) { remove(.group(group)) }
        for client in userPools.clients(of: id) { remove(.client(client)) }
        for server in userPools.resourceServers(of: id) { remove(.resourceServer(server)) }
        for provider in userPools.identityProviders(of: id) { remove(.identityProvider(provider)) }
        remove(.pool(pool))
    }

    /// Deletes a client.
    package mutating func deleteUserPoolClient(_ id: String, of pool: String) throws(UserPoolRefusal) {
        guard let client = userPools.client(id), client.pool == pool else { throw .noSuchClient(id) }
        remove(.client(client))
    }

    /// Adds a person whose username and aliases nobody has. The username is neither the `sub` of another person nor an alias, because it would
    /// come before them.
    package mutating func addUser(_ user: UserPoolUser) throws(UserPoolRefusal) {
        guard let pool = userPools.pool(user.pool) else { throw .noSuchPool(user.pool) }
        guard userPools.user(signingInAs: user.username, in: pool) == nil else { throw .usernameExists }
        for attribute in pool.usernameAttributes {
            guard let value = user[attribute: attribute] else { continue }
            guard userPools.users(with: attribute, value, in: pool).isEmpty else { throw .usernameExists }
        }
        try checkAliases(of: user, in: pool)
        put(inUserPools: .user(user))
    }

    /// The most people of a pool who have not confirmed their sign-up.
    package static let mostUnconfirmed = 10_000

    /// Adds a person who signs up, for which no credentials are needed.
    package mutating func signUp(_ user: UserPoolUser) throws(UserPoolRefusal) {
        guard user.status != .unconfirmed || userPools.unconfirmedCount(of: user.pool) < Self.mostUnconfirmed else {
            throw .tooManyUnconfirmed(Self.mostUnconfirmed)
        }
        try addUser(user)
    }

    /// Changes a person, unless an alias that the change verifies is that of another person.
    @discardableResult
    package mutating func changeUser(
        sub: String, in pool: String, at time: Timestamp, _ change: (inout UserPoolUser) -> Void
    ) throws(UserPoolRefusal) -> UserPoolUser {
        guard let holder = userPools.pool(pool) else { throw .noSuchPool(pool) }
        guard var user = userPools.user(sub: sub, in: pool) else { throw .noSuchUser }
        change(&user)
        user.modified = time
        for attribute in holder.usernameAttributes {
            guard let value = user[attribute: attribute] else { continue }
            let others = userPools.users(with: attribute, value, in: holder).contains { $0.sub != sub }
            guard !others else { throw .aliasExists(attribute) }
        }
        try checkAliases(of: user, in: holder)
        put(inUserPools: .user(user))
        return user
    }

    private func checkAliases(of user: UserPoolUser, in pool: UserPool) throws(UserPoolRefusal) {
        for attribute in pool.aliasAttributes {
            guard let value = user[attribute: attribute], attribute == "preferred_username" || user.isVerified(attribute) else { continue }
            let isTaken = userPools.users(with: attribute, value, in: pool).contains { other in
                other.sub != user.sub && (attribute == "preferred_username" || other.isVerified(attribute))
            }
            let isUsername = userPools.user(named: value, in: pool).map { $0.sub != user.sub } ?? false
            guard !isTaken, !isUsername else { throw .aliasExists(attribute) }
        }
    }

    /// Deletes a person.
    package mutating func deleteUser(sub: String, in pool: String) throws(UserPoolRefusal) {
        guard let user = userPools.user(sub: sub, in: pool) else { throw .noSuchUser }
        remove(.user(user))
    }

    /// Adds a group.
    package mutating func addGroup(_ group: UserPoolGroup) throws(UserPoolRefusal) {
        guard userPools.pool(group.pool) != nil else { throw .noSuchPool(group.pool) }
        guard userPools.group(group.name, in: group.pool) == nil else { throw .groupExists(group.name) }
        put(inUserPools: .group(group))
    }

    /// Deletes a group, and its name from its members.
    package mutating func deleteGroup(_ name: String, of pool: String) throws(UserPoolRefusal) {
        guard let group = userPools.group(name, in: pool) else { throw .noSuchGroup }
        for var user in Array(userPools.users(of: pool)) where user.groups.contains(name) {
            user.groups.removeAll { $0 == name }
            put(inUserPools: .user(user))
        }
        remove(.group(group))
    }
}
