import Directory
import Policy
import WireFormats

/// The part of a seed for Alibaba Cloud: accounts with their identities and buckets, and the app server.
struct SeedAlibaba: Sendable, Decodable {
    var accounts: [SeedAlibabaAccount]
    var appServer: AppServer?

    private enum CodingKeys: String, CodingKey, CaseIterable { case accounts, appServer }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        accounts = try container.decode(.accounts, or: [])
        appServer = try container.decode(ifThere: .appServer) { try AppServer.record.decode(from: $0) }
    }

    /// Returns the records of the accounts' contents, without the accounts. A later seed may extend an account of an earlier one, and refer
    /// to its policies.
    static func records(of seeds: [SeedAlibaba], created: Timestamp) -> [DirectoryRecord] {
        let accounts = seeds.flatMap(\.accounts)
        return accounts.flatMap { account in
            let policies = accounts.filter { $0.account.id == account.account.id }.flatMap(\.policies)
            return account.records(created: created, ownPolicies: Set(policies.map(\.name)))
        } + seeds.compactMap { $0.appServer.map { .appServer($0) } }
    }
}

/// An account of Alibaba Cloud. (RAM User Guide, "Terms".)
struct SeedAlibabaAccount: Sendable, Decodable {
    var account: Account
    var policies: [ManagedPolicy]
    var groups: [Group]
    var users: [User]
    var roles: [Role]
    var openIDConnectProviders: [OpenIDConnectTrust]
    var samlProviders: [SAMLTrust]
    var buckets: [SeedOSSBucket]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, rootKeys, policies, groups, users, roles, openIDConnectProviders, samlProviders, buckets
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let id: String = try container.decode(.id, expecting: "an account id of sixteen digits") { id in
            id.utf8.count == 16 && id.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        account = Account(
            id: id, name: try container.decode(.name, or: id), rootKeys: try container.decode(.rootKeys, listOf: AccessKey.record))
        policies = try container.decode(.policies, listOf: ManagedPolicy.ramRecord)
        groups = try container.decode(.groups, listOf: Group.ramRecord)
        users = try container.decode(.users, listOf: User.ramRecord)
        roles = try container.decode(.roles, listOf: Role.ramRecord)
        openIDConnectProviders = try container.decode(.openIDConnectProviders, listOf: OpenIDConnectTrust.ramRecord)
        samlProviders = try container.decode(.samlProviders, listOf: SAMLTrust.ramRecord)
        buckets = try container.decode(.buckets, listOf: SeedOSSBucket.record)
    }

    /// Returns the records of the account's contents, without the account: first policies and groups, which the others refer to.
    /// - Parameter ownPolicies: the names of the account's own policies. Any other name refers to a system policy.
    fileprivate func records(created: Timestamp, ownPolicies: Set<String>) -> [DirectoryRecord] {
        let id = account.id
        func arns(_ names: [String]) -> [String] {
            names.map { ownPolicies.contains($0) ? identityARN(id, "policy/", $0) : ManagedPolicy.arnOfAlibaba($0) }
        }
        var records = policies.map { DirectoryRecord.policy($0.placedInRAM(id, created: created)) }
        records += groups.map { .group($0.placedInRAM(id, created: created, policies: arns($0.attachedPolicies))) }
        records += users.map { .user($0.placedInRAM(id, created: created, policies: arns($0.attachedPolicies))) }
        records += roles.map { .role($0.placedInRAM(id, created: created, policies: arns($0.attachedPolicies))) }
        records += openIDConnectProviders.map { .trust($0.placedInRAM(id, created: created)) }
        records += samlProviders.map { .samlTrust($0.placedInRAM(id, created: created)) }
        return records
    }
}
