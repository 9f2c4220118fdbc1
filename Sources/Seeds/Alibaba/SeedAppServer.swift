import Directory
import Policy
import WireFormats

/// `appServer`: the business server of an app.
struct SeedAppServer: Sendable, Decodable {
    var server: AppServer

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case accessKey, role, durationSeconds, policy, people, issuers, openTo, signingKey, instanceRole
    }

    /// The members that configure the credentials for people.
    private static let ofDistribution: [CodingKeys] = [.accessKey, .role, .policy, .people, .issuers, .openTo]

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        var distribution: AppServer.Distribution?
        if Self.ofDistribution.contains(where: container.contains) {
            distribution = AppServer.Distribution(
                accessKey: try container.decode(.accessKey, expecting: "the access key id of a RAM user", where: { !$0.isEmpty }),
                role: try container.decode(.role, expecting: "the ARN of a role, acs:ram::<account>:role/<name>", where: Self.isRole),
                policy: try container.decodeTemplate(.policy),
                people: try container.decode(.people, or: [SeedAppPerson]()).map(\.person),
                issuers: try container.decode(.issuers, or: [SeedAppIssuer]()).map(\.issuer),
                openTo: container.contains(.openTo)
                    ? try container.decode(
                        .openTo, expecting: "a session name of 2 to 64 letters, digits and .@_-", where: AppServer.isName)
                    : nil)
        }
        var signingKey: AppServer.Key?
        if let key = try container.decode(ifThere: .signingKey, { try AccessKey.record.decode(from: $0) }) {
            signingKey = AppServer.Key(id: key.id, secret: key.secret)
        }
        var instanceRole: String?
        if container.contains(.instanceRole) {
            let account = distribution.flatMap { Directory.PrincipalName(arn: $0.role)?.account }
            let name = try container.decode(
                .instanceRole, expecting: "the ARN of a role, or the name of one in the account of role"
            ) { (name: String) in
                Self.isRole(name) || account != nil && !name.isEmpty && !name.contains(":") && !name.contains("/")
            }
            instanceRole = Self.isRole(name) ? name : account.map { identityARN($0, "role/", name) }
        }
        guard distribution != nil || signingKey != nil || instanceRole != nil else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "accessKey with role, signingKey or instanceRole"))
        }
        server = AppServer(
            distribution: distribution, signingKey: signingKey, instanceRole: instanceRole,
            duration: container.contains(.durationSeconds)
                ? try container.decode(.durationSeconds, expecting: "seconds from 1 to 43200") { (1...43_200).contains($0) } : 3600)
    }

    private static func isRole(_ arn: String) -> Bool {
        guard arn.hasPrefix("acs:ram::"), arn.contains(":role/"), let name = Directory.PrincipalName(arn: arn) else { return false }
        return identityARN(name.account, "role/", name.name) == arn && Vendor(account: name.account) == .alibaba
    }
}

private struct SeedAppPerson: Sendable, Decodable {
    var person: AppServer.Person

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, password }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        person = AppServer.Person(
            name: try container.decode(.name, expecting: "a name of 2 to 64 letters, digits and .@_-", where: AppServer.isName),
            password: try container.decode(.password, expecting: "a password", where: { !$0.isEmpty }))
    }
}

private struct SeedAppIssuer: Sendable, Decodable {
    var issuer: AppServer.Issuer

    private enum CodingKeys: String, CodingKey, CaseIterable { case provider, audience }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        issuer = AppServer.Issuer(
            provider: try container.decode(.provider, expecting: "the name of an identity provider", where: { !$0.isEmpty }),
            audience: try container.decode(.audience, expecting: "a client of the provider", where: { !$0.isEmpty }))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a policy with the placeholder `${user}`, as text. It is validated with an example name filled in.
    fileprivate func decodeTemplate(_ key: Key) throws -> String? {
        guard let json: JSONValue = try decode(ifThere: key) else { return nil }
        let template = json.serialized()
        do {
            _ = try PolicyDocument(parsing: template.replacing("${user}", with: "alice"), kind: .identity, dialect: .ram)
        } catch {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "a policy document: \(error)")
        }
        return template
    }
}

extension Seed {
    /// Checks that there is at most one app server, and that the names of its people are unique.
    /// - Throws: `SeedError` for the first duplicate.
    static func checkAppServerNames(of seeds: [Seed]) throws(SeedError) {
        var isGiven = false
        for seed in seeds {
            guard let server = seed.alibaba?.appServer?.server else { continue }
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
            guard let server = seed.alibaba?.appServer?.server else { continue }
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
