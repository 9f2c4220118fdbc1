package import Directory
import Policy
package import WireFormats

/// The initial content of a sandbox: accounts with their principals and buckets, and the identity providers with their people.
///
/// Seeds are written in JSON5 and decoded strictly. Policies are in the JSON format of AWS or of Alibaba Cloud.
package struct Seed: Sendable, Decodable {
    /// The file name in error messages.
    var file = ""
    /// SHA-256 of the text.
    package var digest: [UInt8] = []
    /// The file name.
    package var name: String { file }
    /// All texts of the document that are `http` or `https` URLs.
    package var urls: [String] = []
    var accounts: [SeedAccount]
    var identityProviders: [IdentityProvider]
    /// The URLs that receive bucket events, by the ARN of the target.
    package var eventTargets: [String: String]
    /// Whether S3 compares regions; `nil` if the seed does not specify it.
    package var regions: RegionRule?
    var mobileCloud: SeedMobileCloud?
    var alibaba: SeedAlibaba?
    var vendingMachines: SeedVendingMachines?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case accounts, identityProviders, eventTargets, regions, mobileCloud, alibaba, vendingMachines
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        accounts = try container.decode(.accounts, or: [])
        identityProviders = try container.decode(.identityProviders, listOf: IdentityProvider.record)
        eventTargets =
            container.contains(.eventTargets)
            ? try container.decode(.eventTargets, expecting: "an object of ARNs and http:// or https:// URLs") { targets in
                targets.allSatisfy { isEventTarget(arn: $0.key, url: $0.value) }
            } : [:]
        regions = try container.decode(.regions, named: RegionRule.init(rawValue:), expecting: "any or strict")
        mobileCloud = try container.decode(ifThere: .mobileCloud) { try SeedMobileCloud.record.decode(from: $0) }
        alibaba = try container.decode(ifThere: .alibaba)
        vendingMachines = try container.decode(ifThere: .vendingMachines) { try SeedVendingMachines.record.decode(from: $0) }
    }

    /// Returns the records of the directory.
    ///
    /// An account in several seeds has the name of the first one and the root keys of all. A social provider in several seeds has the
    /// settings of the first one, and the apps and people of all.
    /// - Parameter created: the creation time of all records.
    package static func records(of seeds: [Seed], created: Timestamp) -> [DirectoryRecord] {
        var accounts: [Account] = []
        var records: [DirectoryRecord] = []
        let alibaba = seeds.compactMap(\.alibaba)
        var indices: [String: Int] = [:]
        for account in seeds.flatMap(\.accounts).map(\.account) + alibaba.flatMap(\.accounts).map(\.account) {
            if let index = indices[account.id] {
                let known = Set(accounts[index].rootKeys.map(\.id))
                accounts[index].rootKeys += account.rootKeys.filter { !known.contains($0.id) }
            } else {
                indices[account.id] = accounts.count
                accounts.append(account)
            }
        }
        for seed in seeds.flatMap(\.accounts) { records += seed.records(created: created) }
        records += SeedAlibaba.records(of: alibaba, created: created)
        for account in accounts.indices {
            for key in accounts[account].rootKeys.indices { accounts[account].rootKeys[key].created = created }
        }
        var providers: [IdentityProvider] = []
        indices = [:]
        for provider in seeds.flatMap(\.identityProviders) {
            if let index = indices[provider.name] {
                providers[index].clients.append(contentsOf: provider.clients)
                providers[index].people.append(contentsOf: provider.people)
            } else {
                indices[provider.name] = providers.count
                providers.append(provider)
            }
        }
        records += providers.map(DirectoryRecord.provider)
        records += SeedMobileCloud.records(of: seeds.compactMap(\.mobileCloud)) + seeds.compactMap(\.vendingMachines).flatMap(\.records)
        let all = accounts.map(DirectoryRecord.account) + records
        let directory = all.reduce(into: Directory()) { $0.insert($1) }
        return all.map { record in
            switch record {
            case .role(var role) where Vendor(account: role.account) == .aws:
                let policy = role.trustPolicy
                let bound = BoundPrincipals(of: policy.document, in: directory)
                role.trustPolicy = TrustPolicy(document: policy.document, text: policy.text, bound: bound.ids)
                return .role(role)
            // References between records get the case of the name that they refer to, even if the seed spells them differently.
            case .user(var user):
                user.groups = user.groups.map { directory.group($0, in: user.account)?.name ?? $0 }
                return .user(user)
            case .instanceProfile(var profile):
                profile.role = profile.role.map { directory.role($0, in: profile.account)?.role.name ?? $0 }
                return .instanceProfile(profile)
            case .device(var device):
                device.user = device.user.map { directory.user($0, in: device.account)?.user.name ?? $0 }
                return .device(device)
            default: return record
            }
        }
    }
}

/// Returns whether events for the ARN of a topic, queue, function or event bus can be posted to the URL.
package func isEventTarget(arn: String, url: String) -> Bool {
    arn.hasPrefix("arn:") && arn.split(separator: ":", omittingEmptySubsequences: false).count >= 6
        && (url.hasPrefix("http://") || url.hasPrefix("https://"))
}

struct SeedAccount: Sendable, Decodable {
    var account: Account
    var users: [User]
    var groups: [Group]
    var roles: [Role]
    var policies: [ManagedPolicy]
    var instanceProfiles: [InstanceProfile]
    var devices: [MultiFactorDevice]
    var openIDConnectProviders: [OpenIDConnectTrust]
    var samlProviders: [SAMLTrust]
    var buckets: [SeedBucket]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, email, canonicalUserID, rootKeys, users, groups, roles, policies, instanceProfiles, devices
        case openIDConnectProviders, samlProviders, buckets
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        // Users in the ceph dialect need no account, and their ARNs do not contain one.
        let mayBeEmpty = decoder.policyDialect == .ceph
        let id: String = try container.decode(.id, expecting: "an account id of twelve digits") { id in
            mayBeEmpty && id.isEmpty || id.utf8.count == 12 && id.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        let canonicalUserID: String? = try container.decode(
            .canonicalUserID, named: { isCanonicalUserID($0) ? $0 : nil }, expecting: "a canonical user ID of 1 to 64 letters and digits")
        account = Account(
            id: id, name: try container.decode(.name, or: id), email: try container.decode(ifThere: .email),
            canonicalUserID: canonicalUserID,
            rootKeys: try container.decode(.rootKeys, listOf: AccessKey.record))
        users = try container.decode(.users, listOf: User.record)
        groups = try container.decode(.groups, listOf: Group.record)
        roles = try container.decode(.roles, listOf: Role.record)
        policies = try container.decode(.policies, listOf: ManagedPolicy.record)
        instanceProfiles = try container.decode(.instanceProfiles, listOf: InstanceProfile.record)
        devices = try container.decode(.devices, listOf: MultiFactorDevice.record)
        openIDConnectProviders = try container.decode(.openIDConnectProviders, listOf: OpenIDConnectTrust.record)
        samlProviders = try container.decode(.samlProviders, listOf: SAMLTrust.record)
        buckets = try container.decode(.buckets, listOf: SeedBucket.record)
    }

    /// Returns the records of the account's contents, without the account: first policies and groups, which the others refer to.
    func records(created: Timestamp) -> [DirectoryRecord] {
        let id = account.id
        var records = policies.map { DirectoryRecord.policy($0.placed(in: id, created: created)) }
        records += groups.map { .group($0.placed(in: id, created: created)) }
        records += users.map { .user($0.placed(in: id, created: created)) }
        records += roles.map { .role($0.placed(in: id, created: created)) }
        records += instanceProfiles.map { .instanceProfile($0.placed(in: id, created: created)) }
        records += devices.map { .device($0.placed(in: id, created: created)) }
        records += openIDConnectProviders.map { .trust($0.placed(in: id, created: created)) }
        records += samlProviders.map { .samlTrust($0.placed(in: id, created: created)) }
        return records
    }
}

/// Returns whether a text is the number of an account.
/// - Parameter digits: the number of digits, which depends on the cloud.
func isAccountID(_ text: String, digits: Int) -> Bool {
    text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
}

/// Returns whether an ID has the form of AWS (64 hexadecimal digits) or of RADOS Gateway (the account number, or any user name).
private func isCanonicalUserID(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
        && id.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
}

/// A description of what ``isIssuer(_:)`` accepts.
let issuerForm = "an issuer URL that begins with https://, without query, of at most 255 characters"

/// Returns whether IAM accepts the URL of an OpenID Connect provider. (IAM API Reference, "CreateOpenIDConnectProvider".)
func isIssuer(_ url: String) -> Bool {
    url.hasPrefix("https://") && url.utf8.count > "https://".utf8.count && url.utf8.count <= 255
        && url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
}

extension [Seed] {
    /// The first root key of AWS and the first one of Alibaba Cloud, if there are any.
    package var rootKeys: (aws: (id: String, secret: String)?, alibaba: (id: String, secret: String)?) {
        func first(_ accounts: [Account]) -> (id: String, secret: String)? {
            accounts.lazy.flatMap(\.rootKeys).first.map { ($0.id, $0.secret) }
        }
        return (first(flatMap(\.accounts).map(\.account)), first(compactMap(\.alibaba).flatMap(\.accounts).map(\.account)))
    }
}
