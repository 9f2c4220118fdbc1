import Directory

extension Seed {
    /// Finds what is given twice, within one seed or between several. A later seed may add to an account of an earlier one, whose root keys it
    /// may repeat, and to a social provider of an earlier one; everything else exists once.
    ///
    /// The names of users and roles are not told apart by case. (IAM User Guide, "IAM name requirements".)
    /// - Throws: `SeedError` for the first name that was given before.
    static func check(_ seeds: [Seed]) throws(SeedError) {
        _ = try GivenNames(of: seeds)
        try checkMobileNames(of: seeds)
        try checkVendingNames(of: seeds)
        try checkAppServerNames(of: seeds)
    }

    /// Finds what seeds name and none of them has, once all are there.
    /// - Throws: `SeedError` for the first such name, or as ``check(_:)``.
    package static func checkTogether(_ seeds: [Seed]) throws(SeedError) {
        let names = try GivenNames(of: seeds)
        try checkMobileNames(of: seeds)
        try checkMobileReferences(of: seeds)
        try checkVendingNames(of: seeds)
        try checkVendingReferences(of: seeds)
        try checkAppServerNames(of: seeds)
        try checkAppServerReferences(of: seeds)
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

/// The names that seeds have given so far.
struct GivenNames {
    private struct RootKey: Hashable {
        var account: String
        var id: String
    }

    /// What is named, and within what.
    private struct Scope: Hashable {
        var kind: String
        var name: String
    }

    private var given: [Scope: Set<String>] = [:]
    /// The accounts of AWS.
    private(set) var accounts: Set<String> = []
    /// Of the managed policies.
    var arns: Set<String> = []
    /// The providers that assertions can be accepted from without metadata: whose entity identifier is fixed.
    private(set) var samlIdentityProviders: Set<String> = []
    /// What a later seed may name again.
    private struct Repeatable {
        /// The secrets of root keys, by account and key.
        var rootKeys: [RootKey: String] = [:]
        var socialProviders: Set<String> = []
    }

    private var repeatable = Repeatable()
    /// Without those of the seed at hand.
    private var earlier = Repeatable()
    private var file = ""

    init(of seeds: [Seed]) throws(SeedError) {
        for seed in seeds {
            startFile(seed.file)
            for (index, account) in seed.accounts.enumerated() { try give(account, at: "accounts[\(index)]") }
            for (index, account) in (seed.alibaba?.accounts ?? []).enumerated() { try give(account, at: "alibaba.accounts[\(index)]") }
            for (index, provider) in seed.identityProviders.enumerated() {
                try give(provider.provider, at: "identityProviders[\(index)]")
            }
        }
    }

    private mutating func startFile(_ name: String) {
        file = name
        given[Scope(kind: Self.account, name: "")] = nil
        earlier = repeatable
    }

    private static let account = "an account id"

    /// Takes down an account and its root keys, which a later seed may repeat.
    mutating func give(_ account: Account, at place: String) throws(SeedError) {
        try give(account.id, Self.account, at: "\(place).id")
        for (index, key) in account.rootKeys.enumerated() {
            let name = RootKey(account: account.id, id: key.id)
            guard earlier.rootKeys[name] != key.secret else { continue }
            try give(key, at: "\(place).rootKeys[\(index)]")
            repeatable.rootKeys[name] = key.secret
        }
    }

    /// What an account names once only. AWS and Alibaba Cloud both compare these names without regard to case.
    enum NamedKind: String {
        case users = "a user name of the account"
        case roles = "a role name of the account"
        case groups = "a group name of the account"
        case policies = "a policy name of the account"
    }

    /// Takes down the names of one kind.
    /// - Parameter place: of the account.
    mutating func give(_ names: [String], of kind: NamedKind, in account: String, at place: String) throws(SeedError) {
        for (index, name) in names.enumerated() {
            try give(name.lowercased(), kind.rawValue, in: account, at: "\(place).\(kind)[\(index)].name")
        }
    }

    /// Takes down the users of an account and their access keys.
    mutating func give(_ users: [(name: String, accessKeys: [SeedAccessKey])], in account: String, at place: String) throws(SeedError) {
        for (index, user) in users.enumerated() {
            let place = "\(place).users[\(index)]"
            try give(user.name.lowercased(), NamedKind.users.rawValue, in: account, at: "\(place).name")
            for (index, key) in user.accessKeys.enumerated() { try give(key.key, at: "\(place).accessKeys[\(index)]") }
        }
    }

    private mutating func give(_ seed: SeedAccount, at place: String) throws(SeedError) {
        let id = seed.account.id
        accounts.insert(id)
        try give(seed.account, at: place)
        if let user = seed.account.givenCanonicalUserID { try give(user, "a canonical user ID", at: "\(place).canonicalUserID") }
        try give(seed.users.map { ($0.name, $0.accessKeys) }, in: id, at: place)
        try give(seed.roles.map(\.name), of: .roles, in: id, at: place)
        try give(seed.groups.map(\.name), of: .groups, in: id, at: place)
        try give(seed.policies.map(\.name), of: .policies, in: id, at: place)
        for policy in seed.policies { arns.insert(policy.policy(in: id, created: .fill).arn) }
        for (index, profile) in seed.instanceProfiles.enumerated() {
            let place = "\(place).instanceProfiles[\(index)].name"
            try give(profile.name.lowercased(), "an instance profile's name of the account", in: id, at: place)
        }
        for (index, device) in seed.devices.enumerated() {
            try give(device.path + device.name, "a device's path and name of the account", in: id, at: "\(place).devices[\(index)].name")
        }
        for (index, trust) in seed.samlProviders.enumerated() {
            try give(trust.name, "a SAML provider's name of the account", in: id, at: "\(place).samlProviders[\(index)].name")
        }
        for (index, trust) in seed.openIDConnectProviders.enumerated() {
            try give(trust.url, "an issuer of the account", in: id, at: "\(place).openIDConnectProviders[\(index)].url")
        }
        for (index, bucket) in seed.buckets.enumerated() {
            let place = "\(place).buckets[\(index)]"
            try give(bucket.name, "a bucket name", at: "\(place).name")
            for (index, object) in bucket.objects.enumerated() {
                try give(object.key, "an object key of the bucket", in: bucket.name, at: "\(place).objects[\(index)].key")
            }
        }
    }

    private mutating func give(_ provider: IdentityProvider, at place: String) throws(SeedError) {
        if !earlier.socialProviders.contains(provider.name) {
            try give(provider.name, "a provider name", at: "\(place).name")
            if let issuer = provider.issuer { try give(issuer, "an issuer", at: "\(place).issuer") }
            if provider.kind != .openIDConnect { repeatable.socialProviders.insert(provider.name) }
        }
        for (index, client) in provider.clients.enumerated() {
            try give(client.id, "a client id of the provider", in: provider.name, at: "\(place).clients[\(index)].id")
        }
        for (index, person) in provider.people.enumerated() {
            let place = "\(place).people[\(index)]"
            try give(person.name, "a person's name at the provider", in: provider.name, at: "\(place).name")
            try give(person.subject, "a person's subject at the provider", in: provider.name, at: "\(place).subject")
        }
        if let saml = provider.saml {
            if saml.entityID != nil { samlIdentityProviders.insert(provider.name) }
            for (index, serviceProvider) in saml.serviceProviders.enumerated() {
                let place = "\(place).saml.serviceProviders[\(index)].entityID"
                try give(serviceProvider.entityID, "a service provider of the provider", in: provider.name, at: place)
            }
        }
    }

    /// Finds what an account names and no seed has.
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
    }

    private func check(_ attached: [String], _ boundary: String?, at place: String, _ file: String) throws(SeedError) {
        func check(_ arn: String, _ place: String) throws(SeedError) {
            guard !arns.contains(arn), ManagedPolicy.ofAWS(arn) == nil else { return }
            try SeedError.report(
                file: file, place: place, expected: "the ARN of a managed policy of a seed or of AWS", name: arn, from: Array(arns))
        }
        for (index, arn) in attached.enumerated() { try check(arn, "\(place).attachedPolicies[\(index)]") }
        if let boundary { try check(boundary, "\(place).boundary") }
    }

    /// Refuses a name that no seed has given.
    func check(_ account: String, _ name: String, _ kind: String, at place: String, _ file: String) throws(SeedError) {
        let names = given[Scope(kind: kind, name: account)] ?? []
        guard !names.contains(name.lowercased()) else { return }
        try SeedError.report(
            file: file, place: place, expected: "\(kind), not '\(name)'", name: name,
            from: Array(names))
    }

    mutating func give(_ key: AccessKey, at place: String) throws(SeedError) {
        try give(key.id, "an access key id", at: "\(place).id")
    }

    mutating func give(_ text: String, _ kind: String, in scope: String = "", at place: String) throws(SeedError) {
        guard !given[Scope(kind: kind, name: scope), default: []].insert(text).inserted else { return }
        try SeedError.report(file: file, place: place, expected: "\(kind) that is given only once, not '\(text)' again")
    }
}
