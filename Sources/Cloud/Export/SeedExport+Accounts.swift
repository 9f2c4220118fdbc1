import Directory
import Policy
import Seeds
import WireFormats

extension SeedExport {
    /// Exports an account of AWS without its buckets.
    mutating func account(_ account: Account, _ directory: Directory) throws -> JSONObject {
        let id = account.id
        var json = Self.start(of: account)
        json.add(text: account.email, as: "email")
        json.add(text: account.givenCanonicalUserID, as: "canonicalUserID")
        json.add("rootKeys", try keys(account.rootKeys, "the root user of \(id)"))
        if account.alias != nil { leftOut.append("account \(id): its alias") }
        if account.passwordPolicy != nil { leftOut.append("account \(id): its password policy") }
        if !account.serverCertificates.isEmpty { leftOut.append("account \(id): its server certificates") }
        let policies = directory.policies.values.filter { $0.account == id }.sorted { $0.arn < $1.arn }
        json.add("policies", try policies.map { .object(try policy($0, ManagedPolicy.record)) })
        let groups = directory.groups.values.filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add("groups", try groups.map { .object(try Group.record.json(of: $0)) })
        let users = directory.users.values.map(\.user).filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add("users", try users.map { .object(try user($0)) })
        let roles = directory.roles.values.map(\.role).filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add("roles", try roles.map { .object(try Self.role($0, directory)) })
        let profiles = directory.instanceProfiles.values.filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add("instanceProfiles", try profiles.map { .object(try InstanceProfile.record.json(of: $0)) })
        let devices = directory.devices.values.filter { $0.account == id }.sorted { $0.arn < $1.arn }
        json.add("devices", try devices.map { .object(try MultiFactorDevice.record.json(of: $0)) })
        let trusts = directory.trusts.values.filter { $0.account == id }.sorted { $0.url < $1.url }
        json.add("openIDConnectProviders", try trusts.map { .object(try OpenIDConnectTrust.record.json(of: $0)) })
        let secretive = directory.samlTrusts.values.filter { $0.account == id && ($0.encryptionMode != nil || !$0.privateKeys.isEmpty) }
        for trust in secretive.sorted(by: { $0.arn < $1.arn }) { leftOut.append("\(trust.arn): its encryption mode and private keys") }
        json.add("samlProviders", try Self.samlTrusts(of: id, directory, SAMLTrust.record))
        return json
    }

    /// What the account of either cloud begins with.
    static func start(of account: Account) -> JSONObject {
        var json: JSONObject = ["id": .string(account.id)]
        if account.name != account.id { json["name"] = .string(account.name) }
        return json
    }

    /// The SAML providers of an account.
    static func samlTrusts(of account: String, _ directory: Directory, _ record: SeedRecord<SAMLTrust>) throws -> [JSONValue] {
        let trusts = directory.samlTrusts.values.filter { $0.account == account }.sorted { $0.name < $1.name }
        return try trusts.map { .object(try record.json(of: $0)) }
    }

    /// The default version of a managed policy.
    mutating func policy(_ policy: ManagedPolicy, _ record: SeedRecord<ManagedPolicy>) throws -> JSONObject {
        if policy.versions.count > 1 { leftOut.append("policy \(policy.arn): the versions that are not its default") }
        return try record.json(of: policy)
    }

    private mutating func user(_ user: User) throws -> JSONObject {
        var exported = user
        exported.accessKeys = active(user.accessKeys, user.arn)
        if user.loginProfile != nil { leftOut.append("\(user.arn): the console password") }
        let others = user.publicKeys.count + user.signingCertificates.count + user.serviceCredentials.count
        if others > 0 { leftOut.append("\(user.arn): SSH keys, signing certificates and service-specific credentials") }
        return try User.record.json(of: exported)
    }

    private static func role(_ role: Role, _ directory: Directory) throws -> JSONObject {
        var json = try Role.record.json(of: role)
        let trust = role.trustPolicy
        if let shown = BoundPrincipals(ids: trust.bound).shown(trust.document.json, in: directory) { json["trustPolicy"] = shown }
        return json
    }

    /// The access keys that a seed can have.
    mutating func active(_ keys: [AccessKey], _ owner: String) -> [AccessKey] {
        let inactive = keys.filter { !$0.isActive }
        if !inactive.isEmpty { leftOut.append("\(owner): \(inactive.count) inactive access keys") }
        return keys.filter(\.isActive)
    }

    mutating func keys(_ keys: [AccessKey], _ owner: String) throws -> [JSONValue] {
        try active(keys, owner).map { .object(try AccessKey.record.json(of: $0)) }
    }
}
