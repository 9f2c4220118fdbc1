import Directory
import WireFormats

extension Seed {
    /// Checks that names are unique, within one seed and across several.
    ///
    /// A later seed may extend an account of an earlier one and repeat its root keys. It may also extend a social provider of an earlier
    /// one. All other names must be unique. The names of users and roles are compared without regard to case.
    /// (IAM User Guide, "IAM name requirements".)
    /// - Throws: `SeedError` for the first duplicate name.
    static func check(_ seeds: [Seed]) throws(SeedError) {
        _ = try SeedNames(of: seeds)
        try checkMobileNames(of: seeds)
        try checkVendingNames(of: seeds)
        try checkAppServerNames(of: seeds)
        try checkIdentityCenterNames(of: seeds)
    }

    /// Checks that names are unique, and that the names that seeds refer to exist in one of them.
    /// - Throws: `SeedError` for the first duplicate or unknown name.
    package static func checkTogether(_ seeds: [Seed]) throws(SeedError) {
        let names = try SeedNames(of: seeds)
        try checkMobileNames(of: seeds)
        try checkMobileReferences(of: seeds)
        try checkVendingNames(of: seeds)
        try checkVendingReferences(of: seeds)
        try checkAppServerNames(of: seeds)
        try checkAppServerReferences(of: seeds)
        try checkIdentityCenterNames(of: seeds)
        try checkIdentityCenterReferences(of: seeds, names)
        for seed in seeds {
            for (index, account) in seed.accounts.enumerated() {
                try names.checkReferences(of: account, at: "accounts[\(index)]", in: seed.file)
            }
            for (index, account) in (seed.alibaba?.accounts ?? []).enumerated() {
                try names.checkReferences(of: account, at: "alibaba.accounts[\(index)]", in: seed.file)
            }
        }
    }
}

/// The names in the seeds that were checked so far.
struct SeedNames {
    private struct RootKey: Hashable {
        var account: String
        var id: String
    }

    /// The kind of a name, and the entity within which it is unique.
    private struct Scope: Hashable {
        var kind: String
        var name: String
    }

    private var known: [Scope: Set<String>] = [:]
    /// The account numbers of AWS.
    private(set) var accounts: Set<String> = []
    /// The ARNs of managed policies.
    var arns: Set<String> = []
    /// The names of the identity providers that SAML providers can refer to: those with a fixed entity ID.
    private(set) var samlIdentityProviders: Set<String> = []
    /// The names that a later seed may repeat.
    private struct Repeatable {
        /// The secrets of root keys, by account and access key ID.
        var rootKeys: [RootKey: String] = [:]
        var socialProviders: Set<String> = []
    }

    private var repeatable = Repeatable()
    /// The repeatable names of the previous seeds.
    private var earlier = Repeatable()
    private var file = ""

    init(of seeds: [Seed]) throws(SeedError) {
        for seed in seeds {
            startFile(seed.file)
            for (index, account) in seed.accounts.enumerated() { try add(account, at: "accounts[\(index)]") }
            for (index, account) in (seed.alibaba?.accounts ?? []).enumerated() { try add(account, at: "alibaba.accounts[\(index)]") }
            for (index, provider) in seed.identityProviders.enumerated() {
                try add(provider, at: "identityProviders[\(index)]")
            }
            if let admin = seed.keycloakAdmin { try add(admin.realm, at: "keycloakAdmin") }
        }
    }

    private mutating func startFile(_ name: String) {
        file = name
        known[Scope(kind: Self.account, name: "")] = nil
        earlier = repeatable
    }

    private static let account = "an account id"
    static let instanceProfile = "an instance profile's name of the account"

    /// Adds an account and its root keys, which a later seed may repeat.
    mutating func add(_ account: Account, at place: String) throws(SeedError) {
        try add(account.id, Self.account, at: "\(place).id")
        for (index, key) in account.rootKeys.enumerated() {
            let name = RootKey(account: account.id, id: key.id)
            guard earlier.rootKeys[name] != key.secret else { continue }
            try add(key, at: "\(place).rootKeys[\(index)]")
            repeatable.rootKeys[name] = key.secret
        }
    }

    /// The kinds of names that are unique within an account. AWS and Alibaba Cloud compare them without regard to case.
    enum NamedKind: String {
        case users = "a user name of the account"
        case roles = "a role name of the account"
        case groups = "a group name of the account"
        case policies = "a policy name of the account"
    }

    /// Adds the names of one kind.
    /// - Parameter place: the path of the account.
    mutating func add(_ names: [String], of kind: NamedKind, in account: String, at place: String) throws(SeedError) {
        for (index, name) in names.enumerated() {
            try add(name.lowercased(), kind.rawValue, in: account, at: "\(place).\(kind)[\(index)].name")
        }
    }

    /// Adds the users of an account and their access keys.
    mutating func add(_ users: [(name: String, accessKeys: [AccessKey])], in account: String, at place: String) throws(SeedError) {
        for (index, user) in users.enumerated() {
            let place = "\(place).users[\(index)]"
            try add(user.name.lowercased(), NamedKind.users.rawValue, in: account, at: "\(place).name")
            for (index, key) in user.accessKeys.enumerated() { try add(key, at: "\(place).accessKeys[\(index)]") }
        }
    }

    private mutating func add(_ seed: SeedAccount, at place: String) throws(SeedError) {
        let id = seed.account.id
        accounts.insert(id)
        try add(seed.account, at: place)
        if let user = seed.account.givenCanonicalUserID { try add(user, "a canonical user ID", at: "\(place).canonicalUserID") }
        try add(seed.users.map { ($0.name, $0.accessKeys) }, in: id, at: place)
        try add(seed.roles.map(\.name), of: .roles, in: id, at: place)
        try add(seed.groups.map(\.name), of: .groups, in: id, at: place)
        try add(seed.policies.map(\.name), of: .policies, in: id, at: place)
        for policy in seed.policies { arns.insert(policy.placed(in: id, created: .fill).arn) }
        for (index, profile) in seed.instanceProfiles.enumerated() {
            let place = "\(place).instanceProfiles[\(index)].name"
            try add(profile.name.lowercased(), Self.instanceProfile, in: id, at: place)
        }
        for (index, device) in seed.devices.enumerated() {
            try add(device.path + device.name, "a device's path and name of the account", in: id, at: "\(place).devices[\(index)].name")
        }
        for (index, trust) in seed.samlProviders.enumerated() {
            try add(trust.name, "a SAML provider's name of the account", in: id, at: "\(place).samlProviders[\(index)].name")
        }
        for (index, trust) in seed.openIDConnectProviders.enumerated() {
            try add(trust.url, "an issuer of the account", in: id, at: "\(place).openIDConnectProviders[\(index)].url")
        }
        try addCredentialSources(seed, at: place)
        try addUserPools(seed, at: place)
        for (index, bucket) in seed.buckets.enumerated() {
            let place = "\(place).buckets[\(index)]"
            try add(bucket.name, "a bucket name", at: "\(place).name")
            for (index, object) in bucket.objects.enumerated() {
                try add(object.key, "an object key of the bucket", in: bucket.name, at: "\(place).objects[\(index)].key")
            }
        }
    }

    private mutating func add(_ provider: IdentityProvider, at place: String) throws(SeedError) {
        if !earlier.socialProviders.contains(provider.name) {
            try add(provider.name, "a provider name", at: "\(place).name")
            if let issuer = provider.issuer { try add(issuer, "an issuer", at: "\(place).issuer") }
            if provider.kind.isSocial { repeatable.socialProviders.insert(provider.name) }
        }
        for (index, client) in provider.clients.enumerated() {
            try add(client.id, "a client id of the provider", in: provider.name, at: "\(place).clients[\(index)].id")
        }
        for (index, person) in provider.people.enumerated() {
            let place = "\(place).people[\(index)]"
            try add(person.name, "a person's name at the provider", in: provider.name, at: "\(place).name")
            try add(person.subject, "a person's subject at the provider", in: provider.name, at: "\(place).subject")
        }
        try addJobs(of: provider, at: place)
        if let saml = provider.saml {
            if saml.entityID != nil { samlIdentityProviders.insert(provider.name) }
            for (index, serviceProvider) in saml.serviceProviders.enumerated() {
                let place = "\(place).saml.serviceProviders[\(index)].entityID"
                try add(serviceProvider.entityID, "a service provider of the provider", in: provider.name, at: place)
            }
        }
    }

    /// Checks that the names that an account refers to exist.
    func checkReferences(of seed: SeedAccount, at place: String, in file: String) throws(SeedError) {
        for (index, user) in seed.users.enumerated() {
            let place = "\(place).users[\(index)]"
            try check(user.attachedPolicies, user.boundary, at: place, file)
            for (index, group) in user.groups.enumerated() {
                try check(seed.account.id, group, "a group name of the account", at: "\(place).groups[\(index)]", file)
            }
        }
        for (index, group) in seed.groups.enumerated() { try check(group.attachedPolicies, nil, at: "\(place).groups[\(index)]", file) }
        for (index, role) in seed.roles.enumerated() {
            try check(role.attachedPolicies, role.boundary, at: "\(place).roles[\(index)]", file)
        }
        for (index, profile) in seed.instanceProfiles.enumerated() {
            guard let role = profile.role else { continue }
            try check(seed.account.id, role, "a role name of the account", at: "\(place).instanceProfiles[\(index)].role", file)
        }
        for (index, trust) in seed.samlProviders.enumerated() {
            guard let name = trust.identityProvider, !samlIdentityProviders.contains(name) else { continue }
            let place = "\(place).samlProviders[\(index)].identityProvider"
            try SeedError.report(
                file: file, place: place, expected: "an identity provider of a seed that has saml with an entityID, not '\(name)'",
                name: name, from: Array(samlIdentityProviders))
        }
        for (index, device) in seed.devices.enumerated() {
            guard let user = device.user, !user.isEmpty else { continue }
            try check(seed.account.id, user, "a user name of the account", at: "\(place).devices[\(index)].user", file)
        }
        try checkCredentialSources(of: seed, at: place, in: file)
    }

    /// Reports managed policies that neither a seed nor AWS has.
    func check(_ attached: [String], _ boundary: String?, at place: String, _ file: String) throws(SeedError) {
        func check(_ arn: String, _ place: @autoclosure () -> String) throws(SeedError) {
            guard !arns.contains(arn), ManagedPolicy.ofAWS(arn) == nil else { return }
            try SeedError.report(
                file: file, place: place(), expected: "the ARN of a managed policy of a seed or of AWS", name: arn, from: Array(arns))
        }
        for (index, arn) in attached.enumerated() { try check(arn, "\(place).attachedPolicies[\(index)]") }
        if let boundary { try check(boundary, "\(place).boundary") }
    }

    /// Reports a name that no seed contains.
    func check(_ account: String, _ name: String, _ kind: String, at place: @autoclosure () -> String, _ file: String) throws(SeedError) {
        let names = known[Scope(kind: kind, name: account)] ?? []
        guard !names.contains(name.lowercased()) else { return }
        try SeedError.report(
            file: file, place: place(), expected: "\(kind), not '\(name)'", name: name,
            from: Array(names))
    }

    mutating func add(_ key: AccessKey, at place: @autoclosure () -> String) throws(SeedError) {
        try add(key.id, "an access key id", at: "\(place()).id")
    }

    /// Adds a name.
    /// - Parameter place: the path of the name, which only a fault needs.
    mutating func add(_ text: String, _ kind: String, in scope: String = "", at place: @autoclosure () -> String) throws(SeedError) {
        guard !known[Scope(kind: kind, name: scope), default: []].insert(text).inserted else { return }
        try SeedError.report(file: file, place: place(), expected: "\(kind) that is given only once, not '\(text)' again")
    }
}
