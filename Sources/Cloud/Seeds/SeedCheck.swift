extension Seed {
    /// Finds what is given twice, within one seed or between several. A later seed may add to an account of an earlier one;
    /// everything else exists once.
    ///
    /// The names of users and roles are not told apart by case. (IAM User Guide, "IAM name requirements".)
    /// - Throws: `SeedError` for the first name that was given before.
    static func check(_ seeds: [Seed]) throws(SeedError) {
        var names = GivenNames()
        for seed in seeds {
            names.startFile(seed.file)
            for (index, account) in seed.accounts.enumerated() { try names.give(account, at: "accounts[\(index)]") }
            for (index, provider) in seed.identityProviders.enumerated() {
                try names.give(provider.provider, at: "identityProviders[\(index)]")
            }
        }
    }
}

/// The names that seeds have given so far.
private struct GivenNames {
    private struct Name: Hashable {
        /// What is named, and within what.
        var kind: String
        var scope: String
        var text: String
    }

    private var given: Set<Name> = []
    private var file = ""

    mutating func startFile(_ name: String) {
        file = name
        given = given.filter { $0.kind != Self.account }
    }

    private static let account = "an account id"

    mutating func give(_ seed: SeedAccount, at place: String) throws(SeedError) {
        let id = seed.account.id
        try give(id, Self.account, at: "\(place).id")
        for (index, key) in seed.account.rootKeys.enumerated() { try give(key, at: "\(place).rootKeys[\(index)]") }
        for (index, user) in seed.users.enumerated() {
            let place = "\(place).users[\(index)]"
            try give(user.name.lowercased(), "a user name of the account", in: id, at: "\(place).name")
            for (index, key) in user.accessKeys.enumerated() { try give(key.key, at: "\(place).accessKeys[\(index)]") }
        }
        for (index, role) in seed.roles.enumerated() {
            try give(role.name.lowercased(), "a role name of the account", in: id, at: "\(place).roles[\(index)].name")
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

    mutating func give(_ provider: IdentityProvider, at place: String) throws(SeedError) {
        try give(provider.name, "a provider name", at: "\(place).name")
        if let issuer = provider.issuer { try give(issuer, "an issuer", at: "\(place).issuer") }
        for (index, client) in provider.clients.enumerated() {
            try give(client.id, "a client id of the provider", in: provider.name, at: "\(place).clients[\(index)].id")
        }
        for (index, person) in provider.people.enumerated() {
            let place = "\(place).people[\(index)]"
            try give(person.name, "a person's name at the provider", in: provider.name, at: "\(place).name")
            try give(person.subject, "a person's subject at the provider", in: provider.name, at: "\(place).subject")
        }
    }

    private mutating func give(_ key: AccessKey, at place: String) throws(SeedError) {
        try give(key.id, "an access key id", at: "\(place).id")
    }

    private mutating func give(_ text: String, _ kind: String, in scope: String = "", at place: String) throws(SeedError) {
        guard given.insert(Name(kind: kind, scope: scope, text: text)).inserted else {
            throw SeedError(file: file, place: place, expected: "\(kind) that is given only once, not '\(text)' again")
        }
    }
}
