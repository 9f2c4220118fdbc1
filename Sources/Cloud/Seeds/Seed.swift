
/// What a fresh sandbox holds: accounts with their principals and buckets, and the identity providers with their people.
///
/// Written as JSON5 and decoded strictly; policies stand in it in AWS's own JSON.
package struct Seed: Sendable, Decodable {
    var accounts: [SeedAccount]
    var identityProviders: [SeedIdentityProvider]

    private enum CodingKeys: String, CodingKey, CaseIterable { case accounts, identityProviders }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        accounts = try container.decode(.accounts, or: [])
        identityProviders = try container.decode(.identityProviders, or: [])
    }

    /// The directory's records, in an order in which each may refer to those before it.
    var records: [DirectoryRecord] {
        accounts.flatMap(\.records) + identityProviders.map { .provider($0.provider) }
    }
}

struct SeedAccount: Sendable, Decodable {
    var account: Account
    var users: [SeedUser]
    var roles: [SeedRole]
    var openIDConnectProviders: [SeedTrust]
    var buckets: [SeedBucket]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, rootKeys, users, roles, openIDConnectProviders, buckets
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let id: String = try container.decode(.id, expecting: "an account id of twelve digits") { id in
            id.utf8.count == 12 && id.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        account = Account(
            id: id, name: try container.decode(.name, or: id),
            rootKeys: try container.decode(.rootKeys, or: [SeedAccessKey]()).map(\.key))
        users = try container.decode(.users, or: [])
        roles = try container.decode(.roles, or: [])
        openIDConnectProviders = try container.decode(.openIDConnectProviders, or: [])
        buckets = try container.decode(.buckets, or: [])
    }

    var records: [DirectoryRecord] {
        [.account(account)]
            + users.map { .user($0.user(in: account.id)) }
            + roles.map { .role($0.role(in: account.id)) }
            + openIDConnectProviders.map {
                .trust(OpenIDConnectTrust(account: account.id, url: $0.url, clientIDs: $0.clientIDs))
            }
    }
}

struct SeedAccessKey: Sendable, Decodable {
    var key: AccessKey

    private enum CodingKeys: String, CodingKey, CaseIterable { case id, secret }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        key = AccessKey(
            id: try container.decode(.id, expecting: "an access key id", where: { !$0.isEmpty }),
            secret: try container.decode(.secret, expecting: "a secret access key", where: { !$0.isEmpty }))
    }
}

struct SeedTrust: Sendable, Decodable {
    var url: String
    var clientIDs: [String]

    private enum CodingKeys: String, CodingKey, CaseIterable { case url, clientIDs }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        url = try container.decode(.url, expecting: "an issuer URL that begins with https://") { $0.hasPrefix("https://") }
        clientIDs = try container.decode([String].self, forKey: .clientIDs)
    }
}
