package import Directory
import Policy
import WireFormats

/// The part of a seed for Alibaba Cloud: accounts with their identities and buckets, and the app server.
package struct SeedAlibaba: Sendable {
    /// The accounts.
    package var accounts: [SeedAlibabaAccount] = []
    /// The app server.
    package var appServer: AppServer?

    package init() {}

    /// The part of seeds for Alibaba Cloud.
    package static let record = SeedRecord<SeedAlibaba>(
        "Alibaba Cloud", blank: SeedAlibaba(),
        fields: [
            .defaulted(
                "accounts", \.accounts, Codec.list(SeedAlibabaAccount.record),
                "Accounts of Alibaba Cloud with their identities and buckets."),
            .optional("appServer", \.appServer, Codec.record(AppServer.record), "The app server that issues credentials to apps."),
        ])

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

/// An account of Alibaba Cloud in a seed. (RAM User Guide, "Terms".)
package struct SeedAlibabaAccount: Sendable {
    /// The account.
    package var account: Account
    /// Custom policies.
    package var policies: [ManagedPolicy] = []
    /// The groups.
    package var groups: [Group] = []
    /// The users.
    package var users: [User] = []
    /// The roles.
    package var roles: [Role] = []
    /// The OpenID Connect providers that the account trusts.
    package var openIDConnectProviders: [OpenIDConnectTrust] = []
    /// The SAML providers that the account trusts.
    package var samlProviders: [SAMLTrust] = []
    /// The buckets.
    package var buckets: [SeedOSSBucket] = []

    /// - Parameter account: the account itself, without what it owns.
    package init(_ account: Account) { self.account = account }

    /// Accounts of Alibaba Cloud in seeds.
    package static let record = SeedRecord<SeedAlibabaAccount>(
        "Alibaba Cloud account", blank: SeedAlibabaAccount(Account(id: "", name: "", rootKeys: [])),
        fields: [
            .required("id", \.account.id, idCodec, "Sixteen digits."),
            .optional("name", \.account.givenName, Codec.text, "The account's name; its ID by default."),
            .defaulted("rootKeys", \.account.rootKeys, Codec.list(AccessKey.record), "Access keys of the account."),
            .defaulted("policies", \.policies, Codec.list(ManagedPolicy.ramRecord), "Custom policies."),
            .defaulted("groups", \.groups, Codec.list(Group.ramRecord), "Groups."),
            .defaulted("users", \.users, Codec.list(User.ramRecord), "Users."),
            .defaulted("roles", \.roles, Codec.list(Role.ramRecord), "Roles."),
            .defaulted(
                "openIDConnectProviders", \.openIDConnectProviders, Codec.list(OpenIDConnectTrust.ramRecord),
                "OpenID Connect providers that the account trusts."),
            .defaulted(
                "samlProviders", \.samlProviders, Codec.list(SAMLTrust.ramRecord), "SAML providers that the account trusts."),
            .defaulted("buckets", \.buckets, Codec.list(SeedOSSBucket.record), "Buckets of OSS."),
        ])

    private static let idCodec = Codec.form(.pattern("^[0-9]{16}$"), expecting: "an account id of sixteen digits") {
        isAccountID($0, digits: 16)
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
