import Directory
import Seeds
import WireFormats

extension SeedExport {
    /// Exports the user pools of an account.
    mutating func userPools(of account: String, _ pools: UserPools) -> [SeedUserPool] {
        var exported: [SeedUserPool] = []
        for pool in pools.pools where pool.account == account {
            var seeded = SeedUserPool(pool)
            seeded.domain = pools.domains(of: pool.id).first { !$0.isCustom }?.name
            seeded.customDomain = pools.domains(of: pool.id).first { $0.isCustom }?.name
            seeded.resourceServers = pools.resourceServers(of: pool.id)
            seeded.identityProviders = pools.identityProviders(of: pool.id)
            seeded.clients = pools.clients(of: pool.id)
            seeded.groups = pools.groups(of: pool.id)
            for user in Array(pools.users(of: pool.id)) {
                if user.status == .externalProvider {
                    leftOut.append("user pool \(pool.id): \(user.username), who signs in with an identity provider")
                } else {
                    seeded.people.append(person(user, of: pool, pools))
                }
            }
            if !pool.changedAttributes.isEmpty || !pool.customAttributes.allSatisfy({ $0 == UserPoolAttribute(name: $0.name) }) {
                leftOut.append("user pool \(pool.id): types and limits of attributes")
            }
            if pool.isProtected { leftOut.append("user pool \(pool.id): its protection from deletion") }
            if pool.mailSender != nil || pool.smsMessage != nil || pool.mailMessage != nil {
                leftOut.append("user pool \(pool.id): how e-mail is sent, and the messages of second factors")
            }
            if pool.smsSender != nil || pool.recovery != [.email, .phone] {
                leftOut.append("user pool \(pool.id): how SMS are sent and passwords recovered")
            }
            for client in seeded.clients where client.hasOwnValidities {
                leftOut.append("user pool \(pool.id): the validities of tokens of \(client.id)")
            }
            for client in seeded.clients where !client.oauthSettings.isEnabled && !client.oauthSettings.flows.isEmpty {
                leftOut.append("user pool \(pool.id): the grants of \(client.id), which are off")
            }
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
        let enabled = user.enabledFactors.filter { $0 != user.preferredFactor }
        if user.softwareToken != nil || !enabled.isEmpty { leftOut.append("\(name): second factors") }
        if !user.devices.isEmpty { leftOut.append("\(name): devices") }
        if !user.identities.isEmpty { leftOut.append("\(name): the links to identity providers") }
        return SeedUserPoolPerson(user)
    }
}

extension UserPoolClient {
    /// Whether a validity, or whether refresh tokens can be revoked, is not the usual one, which seeds have.
    fileprivate var hasOwnValidities: Bool {
        accessTokenValidity != nil || idTokenValidity != nil || refreshTokenValidity != Validity(30, .days) || !allowsRevocation
    }
}
