package import Directory
import Policy
import WireFormats

extension AppServer {
    /// `appServer`: the business server of an app, in seeds.
    package static let record = SeedRecord<AppServer>(
        "App server", blank: AppServer(distribution: nil, signingKey: nil, instanceRole: nil, duration: 3600),
        fields: [
            .optional("accessKey", \.given.accessKey, accessKeyCodec, "The access key ID of the RAM user that assumes the role."),
            .optional("role", \.given.role, roleCodec, "The ARN of the role that users get."),
            .defaulted("durationSeconds", \.duration, Codec.integer(1...43_200, "seconds"), "Seconds that credentials are valid."),
            .optional("policy", \.given.policy, policyCodec, "The session policy, with ${user} for the user's name."),
            .defaulted("people", \.given.people, Codec.list(Person.record), "Users who log in by password."),
            .defaulted("issuers", \.given.issuers, Codec.list(Issuer.record), "Issuers whose ID tokens are accepted."),
            .optional("openTo", \.given.openTo, openToCodec, "The session name for callers who do not log in."),
            .optional("signingKey", \.signingKey, keyCodec, "The key that signs upload policies."),
            .optional("instanceRole", \.instanceRole, Codec.text, "The role of the instance metadata service."),
        ]
    ) { server, members in try server.finish(members) }

    /// The configuration of credentials for people, whose keys are beside the others in seeds.
    private struct Given {
        var accessKey: String?
        var role: String?
        var policy: String?
        var people: [Person] = []
        var issuers: [Issuer] = []
        var openTo: String?
    }

    private var given: Given {
        get {
            guard let distribution else { return Given() }
            return Given(
                accessKey: distribution.accessKey, role: distribution.role, policy: distribution.policy, people: distribution.people,
                issuers: distribution.issuers, openTo: distribution.openTo)
        }
        set {
            distribution = Distribution(
                accessKey: newValue.accessKey ?? "", role: newValue.role ?? "", policy: newValue.policy, people: newValue.people,
                issuers: newValue.issuers, openTo: newValue.openTo)
        }
    }

    private static let accessKeyForm = "the access key id of a RAM user"
    private static let roleForm = "the ARN of a role, acs:ram::<account>:role/<name>"
    private static let accessKeyCodec = Codec.nonempty(accessKeyForm)
    private static let roleCodec = Codec.form(.pattern("^acs:ram::"), expecting: roleForm) { isRole($0) }
    private static let openToCodec = Codec.form(.text, expecting: "a session name of 2 to 64 letters, digits and .@_-") { isName($0) }

    /// A policy with the placeholder `${user}`, as text. It is validated with an example name filled in.
    private static let policyCodec = Codec.policyTemplate { template throws in
        _ = try PolicyDocument(parsing: template.replacing("${user}", with: "alice"), kind: .identity, dialect: .ram)
    }

    private static let keyCodec: FieldCodec<Key> = {
        let codec = Codec.record(AccessKey.record)
        return FieldCodec<Key>(
            shape: codec.shape, expected: nil,
            read: { members, key in try codec.read(members, key).map { Key(id: $0.id, secret: $0.secret) } },
            write: { try codec.write(AccessKey(id: $0.id, secret: $0.secret)) })
    }()

    private mutating func finish(_ members: SeedMembers) throws {
        if ["accessKey", "role", "policy", "people", "issuers", "openTo"].contains(where: { members.has($0) }) {
            for (name, expected) in [("accessKey", Self.accessKeyForm), ("role", Self.roleForm)] where !members.has(name) {
                try members.reportMissing(FieldName(name), expecting: expected)
            }
        } else {
            distribution = nil
        }
        if let name = instanceRole, !Self.isRole(name) {
            let account = distribution.flatMap { Directory.PrincipalName(arn: $0.role)?.account }
            if account == nil || name.isEmpty || name.contains(":") || name.contains("/") {
                try members.refuse(
                    FieldName("instanceRole"), expecting: "the ARN of a role, or the name of one in the account of role")
            }
            instanceRole = account.map { identityARN($0, "role/", name) }
        }
        guard distribution != nil || signingKey != nil || instanceRole != nil else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: members.codingPath, debugDescription: "accessKey with role, signingKey or instanceRole"))
        }
    }

    private static func isRole(_ arn: String) -> Bool {
        guard arn.hasPrefix("acs:ram::"), arn.contains(":role/"), let name = Directory.PrincipalName(arn: arn) else { return false }
        return identityARN(name.account, "role/", name.name) == arn && Vendor(account: name.account) == .alibaba
    }
}

extension AppServer.Person {
    fileprivate static let record = SeedRecord<AppServer.Person>(
        "User of the app", blank: AppServer.Person(name: "", password: ""),
        fields: [
            .required("name", \.name, nameCodec, "The name."),
            .required("password", \.password, Codec.nonempty("a password"), "The password."),
        ])

    private static let nameCodec = Codec.form(.nonempty, expecting: "a name of 2 to 64 letters, digits and .@_-") {
        AppServer.isName($0)
    }
}

extension AppServer.Issuer {
    fileprivate static let record = SeedRecord<AppServer.Issuer>(
        "Issuer", blank: AppServer.Issuer(provider: "", audience: ""),
        fields: [
            .required("provider", \.provider, Codec.nonempty("the name of an identity provider"), "The name of an identity provider."),
            .required("audience", \.audience, Codec.nonempty("a client of the provider"), "A client of the provider."),
        ])
}

extension Seed {
    /// Checks that there is at most one app server, and that the names of its people are unique.
    /// - Throws: `SeedError` for the first duplicate.
    static func checkAppServerNames(of seeds: [Seed]) throws(SeedError) {
        var isGiven = false
        for seed in seeds {
            guard let server = seed.alibaba?.appServer else { continue }
            guard !isGiven else {
                try SeedError.report(file: seed.file, place: "alibaba.appServer", expected: "an app server that is given only once")
                continue
            }
            isGiven = true
            var names: Set<String> = []
            for (index, person) in (server.distribution?.people ?? []).enumerated() where !names.insert(person.name).inserted {
                try SeedError.report(
                    file: seed.file, place: "alibaba.appServer.people[\(index)].name",
                    expected: "a name that is given only once, not '\(person.name)' again")
            }
        }
    }

    /// Checks that the names that the app server refers to exist in one of the seeds.
    /// - Throws: `SeedError` for the first unknown name.
    static func checkAppServerReferences(of seeds: [Seed]) throws(SeedError) {
        let accounts = seeds.compactMap(\.alibaba).flatMap(\.accounts)
        let roles = Set(accounts.flatMap { account in account.roles.map { identityARN(account.account.id, "role/", $0.name) } })
        for seed in seeds {
            guard let server = seed.alibaba?.appServer else { continue }
            func expect(_ holds: Bool, _ member: String, _ expected: String) throws(SeedError) {
                if !holds { try SeedError.report(file: seed.file, place: "alibaba.appServer.\(member)", expected: expected) }
            }
            if let distribution = server.distribution {
                let keys = accounts.flatMap(\.users).flatMap(\.accessKeys).map(\.id)
                try expect(keys.contains(distribution.accessKey), "accessKey", "the access key id of a RAM user of a seed")
                try expect(roles.contains(distribution.role), "role", "the ARN of a role of a seed, not '\(distribution.role)'")
                try expect(
                    !distribution.people.contains { $0.name == distribution.openTo }, "openTo",
                    "a session name that no person of the app has, not '\(distribution.openTo ?? "")'")
                for (index, issuer) in distribution.issuers.enumerated() {
                    let provider = seeds.flatMap(\.identityProviders).first { $0.name == issuer.provider }
                    try expect(
                        provider != nil, "issuers[\(index)].provider", "an identity provider of a seed, not '\(issuer.provider)'")
                    try expect(
                        provider?.clients.contains { $0.id == issuer.audience } ?? false, "issuers[\(index)].audience",
                        "a client of the provider, not '\(issuer.audience)'")
                }
            }
            let taken = [server.distribution?.role, server.instanceRole].compactMap { $0 }
            for account in accounts {
                for role in account.roles where taken.contains(identityARN(account.account.id, "role/", role.name)) {
                    try expect(
                        server.duration <= role.maximumSessionDuration, "durationSeconds",
                        "no more than the \(role.maximumSessionDuration) seconds that a session of \(role.name) may last")
                }
            }
            if let role = server.instanceRole { try expect(roles.contains(role), "instanceRole", "a role of a seed, not '\(role)'") }
        }
    }
}
