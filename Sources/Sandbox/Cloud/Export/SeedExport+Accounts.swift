import Directory
import ObjectStore
import Policy
import Seeds
import WireFormats

extension SeedExport {
    /// Exports an account of AWS.
    mutating func account(_ account: Account, _ cloud: Cloud) async throws -> JSONObject {
        let (id, directory) = (account.id, cloud.directory)
        var seeded = SeedAccount(account)
        seeded.account.rootKeys = active(account.rootKeys, "the root user of \(id)")
        if account.alias != nil { leftOut.append("account \(id): its alias") }
        if account.passwordPolicy != nil { leftOut.append("account \(id): its password policy") }
        if !account.serverCertificates.isEmpty { leftOut.append("account \(id): its server certificates") }
        seeded.policies = policies(of: id, directory)
        seeded.groups = directory.groups.values.filter { $0.account == id }.sorted { $0.name < $1.name }
        seeded.users = users(of: id, directory)
        seeded.roles = roles(of: id, directory)
        seeded.instanceProfiles = directory.instanceProfiles.values.filter { $0.account == id }.sorted { $0.name < $1.name }
        seeded.devices = directory.devices.values.filter { $0.account == id }.sorted { $0.arn < $1.arn }
        seeded.openIDConnectProviders = trusts(of: id, directory)
        seeded.samlProviders = samlTrusts(of: id, directory)
        let sources = directory.credentialSources
        // Identity Center makes its own roles and SAML providers again.
        if let center = sources.identityCenter {
            seeded.samlProviders.removeAll { $0.arn == center.samlProviderARN(in: id) }
            seeded.roles.removeAll { $0.path == center.rolePath }
        }
        seeded.instances = sources.instances.filter { $0.account == id }
        seeded.tasks = sources.tasks.filter { $0.account == id }
        seeded.clusters = sources.clusters.filter { $0.account == id }
        seeded.trustAnchors = sources.trustAnchors.filter { $0.account == id }
        seeded.anywhereProfiles = sources.anywhereProfiles.filter { $0.account == id }
        seeded.identityPools = directory.identityPools.pools.filter { $0.account == id }
        for pool in seeded.identityPools where directory.identityPools.hasIdentities(pool.id) {
            leftOut.append("identity pool \(pool.id): its identities")
        }
        seeded.userPools = userPools(of: id, directory.userPools)
        for trust in seeded.samlProviders where trust.encryptionMode != nil || !trust.privateKeys.isEmpty {
            leftOut.append("\(trust.arn): its encryption mode and private keys")
        }
        var json = try SeedAccount.record.json(of: seeded)
        json.add("roles", try seeded.roles.map { .object(try Self.role($0, directory)) })
        var buckets: [JSONValue] = []
        for bucket in cloud.objects.allBuckets where bucket.account == id { buckets.append(.object(try await self.bucket(bucket, cloud))) }
        json.add("buckets", buckets)
        return json
    }

    /// A role, with the principals that its trust policy names now.
    private static func role(_ role: Role, _ directory: Directory) throws -> JSONObject {
        var json = try Role.record.json(of: role)
        let trust = role.trustPolicy
        if let shown = BoundPrincipals(ids: trust.bound).shown(trust.document.json, in: directory) { json["trustPolicy"] = shown }
        return json
    }

    /// The managed policies of an account of either cloud.
    mutating func policies(of account: String, _ directory: Directory) -> [ManagedPolicy] {
        let policies = directory.policies.values.filter { $0.account == account }.sorted { $0.arn < $1.arn }
        for policy in policies where policy.versions.count > 1 {
            leftOut.append("policy \(policy.arn): the versions that are not its default")
        }
        return policies
    }

    /// The users of an account of either cloud, with the access keys that a seed can have.
    mutating func users(of account: String, _ directory: Directory) -> [User] {
        var users = directory.users.values.map(\.user).filter { $0.account == account }.sorted { $0.name < $1.name }
        for index in users.indices {
            let user = users[index]
            users[index].accessKeys = active(user.accessKeys, user.arn)
            if user.loginProfile != nil { leftOut.append("\(user.arn): the console password") }
            let others = user.publicKeys.count + user.signingCertificates.count + user.serviceCredentials.count
            if others > 0 { leftOut.append("\(user.arn): SSH keys, signing certificates and service-specific credentials") }
        }
        return users
    }

    /// The roles of an account of either cloud.
    func roles(of account: String, _ directory: Directory) -> [Role] {
        directory.roles.values.map(\.role).filter { $0.account == account }.sorted { $0.name < $1.name }
    }

    /// The OpenID Connect providers that an account of either cloud trusts.
    func trusts(of account: String, _ directory: Directory) -> [OpenIDConnectTrust] {
        directory.trusts.values.filter { $0.account == account }.sorted { $0.url < $1.url }
    }

    /// The SAML providers that an account of either cloud trusts.
    func samlTrusts(of account: String, _ directory: Directory) -> [SAMLTrust] {
        directory.samlTrusts.values.filter { $0.account == account }.sorted { $0.name < $1.name }
    }

    /// The access keys that a seed can have.
    mutating func active(_ keys: [AccessKey], _ owner: String) -> [AccessKey] {
        let inactive = keys.filter { !$0.isActive }
        if !inactive.isEmpty { leftOut.append("\(owner): \(inactive.count) inactive access keys") }
        return keys.filter(\.isActive)
    }
}
