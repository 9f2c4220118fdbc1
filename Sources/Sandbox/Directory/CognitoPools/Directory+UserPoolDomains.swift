import WireFormats

extension Directory {
    private mutating func remove(inUserPools record: UserPoolRecord) { remove(.init(.userPool, record.name)) }

    /// Adds a domain. A pool can have one prefix and one host name of the customer's own.
    package mutating func addUserPoolDomain(_ domain: UserPoolDomain) throws(UserPoolRefusal) {
        guard userPools.pool(domain.pool) != nil else { throw .noSuchPool(domain.pool) }
        guard userPools.domain(ofHost: domain.host) == nil else { throw .domainTaken }
        guard !userPools.domains(of: domain.pool).contains(where: { $0.isCustom == domain.isCustom }) else { throw .poolHasDomain }
        put(inUserPools: .domain(domain))
    }

    /// Changes a domain of a pool.
    /// - Parameter host: the host name.
    @discardableResult
    package mutating func changeUserPoolDomain(
        ofHost host: String, of pool: String, _ change: (inout UserPoolDomain) -> Void
    ) throws(UserPoolRefusal) -> UserPoolDomain {
        guard var domain = userPools.domain(ofHost: host), domain.pool == pool else { throw .noSuchDomain }
        change(&domain)
        put(inUserPools: .domain(domain))
        return domain
    }

    /// Deletes a domain of a pool.
    /// - Parameter host: the host name.
    package mutating func deleteUserPoolDomain(ofHost host: String, of pool: String) throws(UserPoolRefusal) {
        guard let domain = userPools.domain(ofHost: host), domain.pool == pool else { throw .noSuchDomain }
        remove(inUserPools: .domain(domain))
    }

    /// Adds a resource server.
    package mutating func addResourceServer(_ server: UserPoolResourceServer) throws(UserPoolRefusal) {
        guard userPools.pool(server.pool) != nil else { throw .noSuchPool(server.pool) }
        guard userPools.resourceServer(server.identifier, in: server.pool) == nil else {
            throw .resourceServerExists(server.identifier, pool: server.pool)
        }
        put(inUserPools: .resourceServer(server))
    }

    /// Deletes a resource server. Apps keep the names of its scopes, which have no effect any more.
    package mutating func deleteResourceServer(_ identifier: String, of pool: String) throws(UserPoolRefusal) {
        guard let server = userPools.resourceServer(identifier, in: pool) else { throw .noSuchResourceServer(identifier) }
        remove(inUserPools: .resourceServer(server))
    }
}
