import Directory
import Seeds
import WireFormats

extension SeedExport {
    /// Exports the user pools of an account.
    mutating func userPools(of account: String, _ pools: UserPools) -> [SeedUserPool] {
        var exported: [SeedUserPool] = []
        for pool in pools.pools where pool.account == account {
            var seeded = SeedUserPool(pool)
            seeded.clients = pools.clients(of: pool.id)
            seeded.groups = pools.groups(of: pool.id)
            for user in Array(pools.users(of: pool.id)) { seeded.people.append(person(user, of: pool, pools)) }
            if !pool.changedAttributes.isEmpty { leftOut.append("user pool \(pool.id): changes of standard attributes") }
            exported.append(seeded)
        }
        return exported
    }

    private mutating func person(_ user: UserPoolUser, of pool: UserPool, _ pools: UserPools) -> SeedUserPoolPerson {
        var user = user
        // Pools whose people sign up with an address have the address in place of the username.
        let address = pool.usernameAttributes.lazy.compactMap { user[attribute: $0] }.first
        if !pool.usernameAttributes.isEmpty, let address { user.username = address }
        user.groups.removeAll { pools.group($0, in: pool.id) == nil }
        let name = "user pool \(pool.id): \(user.username)"
        if user.password != nil { leftOut.append("\(name): the password, of which only a verifier is known") }
        if user.softwareToken != nil { leftOut.append("\(name): the second factor") }
        return SeedUserPoolPerson(user)
    }
}
