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
    /// The accounts of AWS.
    var accounts: [SeedAccount] = []
    /// The identity providers.
    package var identityProviders: [IdentityProvider] = []
    /// The URLs that receive bucket events, by the ARN of the target.
    package var eventTargets: [String: String] = [:]
    /// Whether S3 compares regions; `nil` if the seed does not specify it.
    package var regions: RegionRule?
    /// The mobile cloud.
    package var mobileCloud: SeedMobileCloud?
    /// Accounts of Alibaba Cloud and the app server.
    package var alibaba: SeedAlibaba?
    /// The token vending machines.
    package var vendingMachines: SeedVendingMachines?
    /// IAM Identity Center.
    package var identityCenter: IdentityCenter?
    /// The administrator of all Keycloak realms.
    package var keycloakAdmin: SeedKeycloakAdmin?
    /// The parts of an imported document that the seed does not contain, one line for each.
    package var leftOut: [String] = []

    package init() {}

    package init(from decoder: any Decoder) throws { self = try Self.record.decode(from: decoder) }

    /// Whole seeds.
    package static let record = SeedRecord<Seed>(
        "Virga seed", blank: Seed(),
        fields: [
            .defaulted("accounts", \.accounts, Codec.list(SeedAccount.record), "Accounts of AWS with their principals and buckets."),
            .defaulted(
                "identityProviders", \.identityProviders, Codec.list(IdentityProvider.record),
                "OpenID Connect issuers, Facebook, Amazon, Google and GitHub, with their users."),
            .defaulted(
                "eventTargets", \.eventTargets, targetsCodec,
                "The URL that receives bucket events, for each ARN of a topic, queue or function."),
            .optional(
                "regions", \.regions, Codec.word(RegionRule.self, expecting: "any or strict"),
                "Whether S3 rejects requests for another region than the bucket's."),
            .optional("mobileCloud", \.mobileCloud, Codec.record(SeedMobileCloud.record), "The mobile cloud."),
            .optional("alibaba", \.alibaba, Codec.record(SeedAlibaba.record), "Accounts of Alibaba Cloud and the app server."),
            .optional("vendingMachines", \.vendingMachines, Codec.record(SeedVendingMachines.record), "The token vending machines."),
            .optional(
                "keycloakAdmin", \.keycloakAdmin, Codec.record(SeedKeycloakAdmin.record),
                "The user of the realm master who may call Keycloak's Admin API."),
            .optional(
                "identityCenter", \.identityCenter, Codec.record(IdentityCenter.record),
                "IAM Identity Center: permission sets for people of an identity provider."),
        ])

    private static let targetsCodec: FieldCodec<[String: String]> = Codec.checked(
        .map(.pattern("^https?://")), expecting: "an object of ARNs and http:// or https:// URLs"
    ) { targets in
        targets.allSatisfy { isEventTarget(arn: $0.key, url: $0.value) }
    } write: { targets in
        JSONValue.object(JSONObject(targets.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }))
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
        for provider in seeds.flatMap(\.identityProviders) + seeds.compactMap(\.keycloakAdmin).map(\.realm) {
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
        for center in seeds.compactMap(\.identityCenter) {
            records += center.provisioned(created: created) + [.credentialSource(.identityCenter(center))]
        }
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

extension [Seed] {
    /// The first root key of AWS and the first one of Alibaba Cloud, if there are any.
    package var rootKeys: (aws: (id: String, secret: String)?, alibaba: (id: String, secret: String)?) {
        func first(_ accounts: [Account]) -> (id: String, secret: String)? {
            accounts.lazy.flatMap(\.rootKeys).first.map { ($0.id, $0.secret) }
        }
        return (first(flatMap(\.accounts).map(\.account)), first(compactMap(\.alibaba).flatMap(\.accounts).map(\.account)))
    }
}
