import WireFormats

extension Directory {
    /// The number of identity pools that an account can have. (Amazon Cognito Developer Guide, "Quotas in Amazon Cognito".)
    package static let mostIdentityPools = 1000

    /// Returns the identity pool of an account.
    /// - Throws: `noSuchPool`, also if another account has it.
    package func identityPool(_ id: String, in account: String) throws(IdentityPoolRefusal) -> IdentityPool {
        guard let pool = identityPools.pool(id), pool.account == account else { throw .noSuchPool(id) }
        return pool
    }

    /// Adds an identity pool.
    /// - Throws: `tooManyPools`.
    package mutating func createIdentityPool(_ pool: IdentityPool) throws(IdentityPoolRefusal) {
        let count = identityPools.pools.filter { $0.account == pool.account }.count
        guard count < Self.mostIdentityPools else { throw .tooManyPools(Self.mostIdentityPools) }
        put(.identityPool(.pool(pool)))
    }

    /// Changes an identity pool.
    /// - Parameter change: changes the record, but not its account and identifier.
    /// - Returns: the pool after the change.
    /// - Throws: `noSuchPool`, or `developerProviderIsFinal`.
    @discardableResult
    package mutating func updateIdentityPool(
        _ id: String, in account: String, _ change: (inout IdentityPool) -> Void
    ) throws(IdentityPoolRefusal) -> IdentityPool {
        let old = try identityPool(id, in: account)
        var pool = old
        change(&pool)
        if let name = old.developerProvider {
            guard let new = pool.developerProvider, new == name else { throw .developerProviderIsFinal }
        }
        put(.identityPool(.pool(pool)))
        return pool
    }

    /// Deletes an identity pool with its identities.
    /// - Throws: `noSuchPool`.
    package mutating func deleteIdentityPool(_ id: String, in account: String) throws(IdentityPoolRefusal) {
        let pool = try identityPool(id, in: account)
        for identity in identityPools.identities(of: pool.id) { removeIdentity(identity.id) }
        remove(.init(.identityPool, IdentityPoolRecord.Key.pool(pool.id).name))
    }

    /// Deletes an identity. Its logins are new the next time.
    package mutating func removeIdentity(_ id: String) { remove(.init(.identityPool, IdentityPoolRecord.Key.identity(id).name)) }
}
