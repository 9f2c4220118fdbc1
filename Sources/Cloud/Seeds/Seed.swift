/// What a fresh sandbox holds: accounts with their principals and buckets, and the identity providers with their people.
///
/// Written as JSON5 and decoded strictly; policies stand in it in AWS's own JSON.
package struct Seed: Sendable, Decodable {
    /// The name that faults are reported under.
    var file = ""
    var accounts: [SeedAccount]
    var identityProviders: [SeedIdentityProvider]
    /// The URL behind each ARN that buckets tell of their events.
    var eventTargets: [String: String]

    private enum CodingKeys: String, CodingKey, CaseIterable { case accounts, identityProviders, eventTargets }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        accounts = try container.decode(.accounts, or: [])
        identityProviders = try container.decode(.identityProviders, or: [])
        eventTargets =
            container.contains(.eventTargets)
            ? try container.decode(.eventTargets, expecting: "an object of ARNs and http:// or https:// URLs") { targets in
                targets.allSatisfy { isEventTarget(arn: $0.key, url: $0.value) }
            } : [:]
    }

    /// The directory's records. An account that several seeds name has the first one's name and the root keys of all.
    static func records(of seeds: [Seed]) -> [DirectoryRecord] {
        var accounts: [Account] = []
        var records: [DirectoryRecord] = []
        for seed in seeds.flatMap(\.accounts) {
            if let index = accounts.firstIndex(where: { $0.id == seed.account.id }) {
                accounts[index].rootKeys += seed.account.rootKeys
            } else {
                accounts.append(seed.account)
            }
            records += seed.records
        }
        let providers = seeds.flatMap(\.identityProviders).map { DirectoryRecord.provider($0.provider) }
        return accounts.map(DirectoryRecord.account) + records + providers
    }
}

/// Whether events for the ARN of a topic, queue, function or event bus can be posted to the URL.
package func isEventTarget(arn: String, url: String) -> Bool {
    arn.hasPrefix("arn:") && arn.split(separator: ":", omittingEmptySubsequences: false).count >= 6
        && (url.hasPrefix("http://") || url.hasPrefix("https://"))
}

struct SeedAccount: Sendable, Decodable {
    var account: Account
    var users: [SeedUser]
    var roles: [SeedRole]
    var openIDConnectProviders: [SeedTrust]
    var buckets: [SeedBucket]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, email, rootKeys, users, roles, openIDConnectProviders, buckets
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let id: String = try container.decode(.id, expecting: "an account id of twelve digits") { id in
            id.utf8.count == 12 && id.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        account = Account(
            id: id, name: try container.decode(.name, or: id), email: try container.decode(ifThere: .email),
            rootKeys: try container.decode(.rootKeys, or: [SeedAccessKey]()).map(\.key))
        users = try container.decode(.users, or: [])
        roles = try container.decode(.roles, or: [])
        openIDConnectProviders = try container.decode(.openIDConnectProviders, or: [])
        buckets = try container.decode(.buckets, or: [])
    }

    /// Everything in the account, but not the account itself.
    var records: [DirectoryRecord] {
        users.map { .user($0.user(in: account.id)) }
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
        url = try container.decode(.url, expecting: issuerForm, where: isIssuer)
        clientIDs = try container.decode([String].self, forKey: .clientIDs)
    }
}

/// What ``isIssuer(_:)`` accepts, in words.
let issuerForm = "an issuer URL that begins with https://, without query, of at most 255 characters"

/// Whether IAM takes the URL as that of an OpenID Connect provider. (IAM API Reference, "CreateOpenIDConnectProvider".)
func isIssuer(_ url: String) -> Bool {
    url.hasPrefix("https://") && url.utf8.count > "https://".utf8.count && url.utf8.count <= 255
        && url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
}
