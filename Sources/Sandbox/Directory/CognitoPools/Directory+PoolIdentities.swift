package import WireFormats

/// The identities of identity pools: finding, linking, merging and unlinking them.
/// (Amazon Cognito Developer Guide, "Identity pools authentication flow"; API Reference, "GetId" and "UnlinkIdentity".)
extension Directory {
    /// The number of logins that an identity can have. (Developer Guide, "Quotas in Amazon Cognito".)
    package static let mostLogins = 20
    /// The most guests of a pool: identities that a client creates without credentials.
    package static let mostGuests = 10_000

    /// Returns the identity of some logins. It is created if none of them is known. If they belong to several identities, the oldest takes
    /// over the logins of the others.
    /// - Parameters:
    ///   - logins: verified logins; none for a new guest.
    ///   - newID: the identifier of a new identity.
    /// - Throws: `noGuests`, `tooManyGuests`, `severalLogins` or `tooManyLogins`.
    package mutating func identity(
        of logins: [PoolIdentity.Login], in pool: IdentityPool, newID: String, now: Timestamp
    ) throws(IdentityPoolRefusal) -> PoolIdentity {
        guard !logins.isEmpty || pool.allowsGuests else { throw .noGuests }
        let known = owners(of: logins, in: pool).sorted { ($0.created, $0.id) < ($1.created, $1.id) }
        if let oldest = known.first { return try unite(oldest, with: Array(known.dropFirst()), adding: logins, in: pool, now: now) }
        let blank = PoolIdentity(pool: pool.id, id: newID, logins: [], created: now)
        guard !logins.isEmpty else {
            guard identityPools.guestCount(of: pool.id) < Self.mostGuests else { throw .tooManyGuests(Self.mostGuests) }
            put(.identityPool(.identity(blank)))
            return blank
        }
        return try unite(blank, with: [], adding: logins, in: pool, now: now)
    }

    /// Returns the identity with an identifier, for a call that has some logins. Logins that are new are linked to it. If another identity
    /// has one of them, that one takes over the logins of the identity, and is returned in its place.
    /// - Parameters:
    ///   - logins: verified logins; none for a guest.
    ///   - byDeveloper: whether the developer's own server calls, which has other errors.
    /// - Throws: `noSuchIdentity`, `forbidden`, `loginsDoNotMatch`, `registeredUser`, `noGuests`, `severalLogins` or `tooManyLogins`.
    package mutating func identity(
        _ id: String, presenting logins: [PoolIdentity.Login], in pool: IdentityPool, byDeveloper: Bool = false, now: Timestamp
    ) throws(IdentityPoolRefusal) -> PoolIdentity {
        guard let identity = identityPools.identity(id), identity.pool == pool.id else { throw .noSuchIdentity(id) }
        guard !logins.isEmpty else {
            guard !identity.isAuthenticated, !identity.isDisabled else { throw .forbidden(id) }
            guard pool.allowsGuests else { throw .noGuests }
            return identity
        }
        let others = owners(of: logins, in: pool).filter { $0.id != id }
        if byDeveloper {
            guard others.isEmpty else { throw .registeredUser }
            guard !identity.isAuthenticated || logins.contains(where: { identity.logins.contains($0) }) else { throw .loginsDoNotMatch }
        } else if identity.isAuthenticated, !logins.contains(where: { identity.logins.contains($0) }) {
            // Clients that still have the identifier of a merged identity get the one that took over its logins.
            let successor = successor(of: identity).id
            guard successor != id, let other = others.first(where: { $0.id == successor }) else { throw .forbidden(id) }
            return try unite(other, with: others.filter { $0.id != successor }, adding: logins, in: pool, now: now)
        }
        guard let owner = others.first else { return try unite(identity, with: [], adding: logins, in: pool, now: now) }
        return try unite(owner, with: [identity] + others.dropFirst(), adding: logins, in: pool, now: now)
    }

    /// Unites the identities of two users of the developer.
    /// - Parameters:
    ///   - source: the user whose identity is merged.
    ///   - destination: the user whose identity remains.
    /// - Throws: `unknownDeveloperProvider`, `noSuchUser`, `severalLogins` or `tooManyLogins`.
    package mutating func mergeDeveloperUsers(
        _ source: String, into destination: String, of provider: String, in pool: IdentityPool, now: Timestamp
    ) throws(IdentityPoolRefusal) -> PoolIdentity {
        let from = try developerIdentity(source, of: provider, in: pool)
        let to = try developerIdentity(destination, of: provider, in: pool)
        guard from.id != to.id else { return to }
        return try unite(to, with: [from], adding: [], in: pool, now: now)
    }

    /// Returns the identity of a user of the developer.
    /// - Throws: `unknownDeveloperProvider` or `noSuchUser`.
    package func developerIdentity(
        _ user: String, of provider: String, in pool: IdentityPool
    ) throws(IdentityPoolRefusal) -> PoolIdentity {
        guard let own = pool.developerProvider, own == provider else { throw .unknownDeveloperProvider }
        let login = PoolIdentity.Login(provider: provider, subject: user)
        guard let identity = identityPools.identity(of: login, in: pool.id) else { throw .noSuchUser(user) }
        return identity
    }

    /// Removes logins of an identity. They are new the next time. Without a login, the identity cannot be used any more.
    /// - Parameter isRemoved: returns whether a login is removed.
    package mutating func unlink(
        _ identity: PoolIdentity, now: Timestamp, where isRemoved: (PoolIdentity.Login) -> Bool
    ) {
        var identity = identity
        let count = identity.logins.count
        identity.logins.removeAll(where: isRemoved)
        guard identity.logins.count != count else { return }
        identity.modified = now
        put(.identityPool(.identity(identity)))
    }

    /// Returns the identity that took over the logins of another one, possibly after others.
    private func successor(of identity: PoolIdentity) -> PoolIdentity {
        var (last, known) = (identity, Set([TextKey(identity.id)]))
        while let id = last.mergedInto, known.insert(TextKey(id)).inserted, let next = identityPools.identity(id) { last = next }
        return last
    }

    /// Returns the identities that have one of some logins, each once, in the order of the logins.
    private func owners(of logins: [PoolIdentity.Login], in pool: IdentityPool) -> [PoolIdentity] {
        var found: [PoolIdentity] = []
        for login in logins {
            guard let owner = identityPools.identity(of: login, in: pool.id), !found.contains(where: { $0.id == owner.id }) else {
                continue
            }
            found.append(owner)
        }
        return found
    }

    /// Gives an identity further logins, and those of other identities, which cannot be used any more.
    private mutating func unite(
        _ survivor: PoolIdentity, with others: [PoolIdentity], adding new: [PoolIdentity.Login], in pool: IdentityPool, now: Timestamp
    ) throws(IdentityPoolRefusal) -> PoolIdentity {
        var logins = survivor.logins
        for login in others.flatMap(\.logins) + new where !logins.contains(login) { logins.append(login) }
        for (index, login) in logins.enumerated() where !pool.acceptsSeveralLogins(of: login.provider) {
            guard !logins[..<index].contains(where: { $0.provider == login.provider }) else {
                throw .severalLogins(provider: login.provider)
            }
        }
        guard logins.count <= Self.mostLogins else { throw .tooManyLogins(Self.mostLogins) }
        guard logins.count != survivor.logins.count || !others.isEmpty else { return survivor }
        for other in others {
            var merged = other
            merged.logins = []
            merged.isAuthenticated = true
            merged.mergedInto = survivor.id
            merged.modified = now
            put(.identityPool(.identity(merged)))
        }
        var united = survivor
        united.logins = logins
        united.isAuthenticated = survivor.isAuthenticated || !logins.isEmpty
        united.modified = now
        put(.identityPool(.identity(united)))
        return united
    }
}
