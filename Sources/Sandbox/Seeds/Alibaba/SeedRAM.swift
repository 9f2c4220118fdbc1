package import Directory
import Policy
import WireFormats

// RAM's identities and policies in seeds. Policies are referred to by name, so that `attachedPolicies` has names here. An account's own
// policies take precedence over system policies.

extension ManagedPolicy {
    /// Custom policies of RAM in seeds.
    package static let ramRecord = SeedRecord<ManagedPolicy>(
        "Custom policy", blank: .blank,
        fields: [
            .ramName(\.name, .policy, expecting: "a policy name of 1 to 128 letters, digits and hyphens"),
            .optional("description", \.description, Codec.text, "A description."),
            .document(.alibaba),
        ])

    /// Returns the policy of a seed as a record of an account of Alibaba Cloud.
    func placedInRAM(_ account: String, created: Timestamp) -> ManagedPolicy {
        ManagedPolicy(
            account: account, name: name, path: "/", id: UniqueName.number("4", of: "\(account)/policy/\(name)"), description: description,
            created: created, document: document ?? .empty)
    }
}

extension Group {
    /// Groups of RAM in seeds.
    package static let ramRecord = SeedRecord<Group>(
        "RAM group", blank: record.blank,
        fields: [
            .ramName(\.name, .group, expecting: "a group name of 1 to 64 letters, digits and .-_"),
            .optional("comments", \.ramProfile.comments, Codec.text, "Comments."),
            .policyNames(\.attachedPolicies),
        ])

    fileprivate var ramProfile: GroupProfile {
        get { profile ?? GroupProfile() }
        set { profile = newValue }
    }

    /// Returns the group of a seed as a record of an account of Alibaba Cloud.
    /// - Parameter arns: the ARNs of its policies.
    func placedInRAM(_ account: String, created: Timestamp, policies arns: [String]) -> Group {
        var group = self
        group.account = account
        group.id = "g-" + UniqueName.id(prefix: "", of: "\(account)/group/\(name)").prefix(16)
        group.created = created
        group.ramProfile.updated = created
        group.attachedPolicies = arns
        group.attachmentDates = Dictionary(arns.map { ($0, created) }) { first, _ in first }
        return group
    }
}

extension User {
    /// Users of RAM in seeds.
    package static let ramRecord = SeedRecord<User>(
        "RAM user", blank: record.blank,
        fields: [
            .ramName(\.name, .user, expecting: "a user name of 1 to 64 letters, digits and .-_@"),
            .optional("displayName", \.ramProfile.displayName, Codec.text, "The display name."),
            .optional("comments", \.ramProfile.comments, Codec.text, "Comments."),
            .optional("email", \.ramProfile.email, Codec.text, "The mail address."),
            .optional("mobilePhone", \.ramProfile.mobilePhone, Codec.text, "The phone number."),
            .defaulted("accessKeys", \.accessKeys, Codec.list(AccessKey.record), "Access keys."),
            .policyNames(\.attachedPolicies),
            .defaulted("groups", \.groups, Codec.texts, "Names of groups of the account."),
        ])

    fileprivate var ramProfile: UserProfile {
        get { profile ?? UserProfile() }
        set { profile = newValue }
    }

    /// Returns the user of a seed as a record of an account of Alibaba Cloud.
    /// - Parameter arns: the ARNs of its policies.
    func placedInRAM(_ account: String, created: Timestamp, policies arns: [String]) -> User {
        var user = self
        user.account = account
        user.id = UniqueName.number("2", of: "\(account)/user/\(name)")
        user.created = created
        user.accessKeys = accessKeys.created(created)
        user.ramProfile.updated = created
        user.attachedPolicies = arns
        user.attachmentDates = Dictionary(arns.map { ($0, created) }) { first, _ in first }
        user.joinDates = Dictionary(groups.map { ($0, created) }) { first, _ in first }
        return user
    }
}

extension Role {
    /// Roles of RAM in seeds.
    package static let ramRecord = SeedRecord<Role>(
        "RAM role", blank: .blank,
        fields: [
            .ramName(\.name, .role, expecting: "a role name of 1 to 64 letters, digits and .-_"),
            .optional("description", \.description, Codec.text, "A description."),
            .required("trustPolicy", \.ramTrustPolicy, Codec.policy(.trust, .ram), "Who may assume the role."),
            .policyNames(\.attachedPolicies),
            .maximumSessionDuration,
        ])

    fileprivate var ramTrustPolicy: PolicyDocument {
        get { trustPolicy.document }
        set { trustPolicy = TrustPolicy(document: newValue) }
    }

    /// Returns the role of a seed as a record of an account of Alibaba Cloud.
    /// - Parameter arns: the ARNs of its policies.
    func placedInRAM(_ account: String, created: Timestamp, policies arns: [String]) -> Role {
        var role = self
        role.account = account
        role.id = UniqueName.number("3", of: "\(account)/role/\(name)")
        role.created = created
        role.updated = created
        role.attachedPolicies = arns
        role.attachmentDates = Dictionary(arns.map { ($0, created) }) { first, _ in first }
        return role
    }
}

extension OpenIDConnectTrust {
    /// OpenID Connect providers of RAM in seeds, identified by the URL of the issuer: one of this server or an external one.
    package static let ramRecord = SeedRecord<OpenIDConnectTrust>(
        "OpenID Connect provider", blank: .blank,
        fields: [
            .ramName(\.ramName, .provider, expecting: RAMName.providerForm),
            .issuer(\.url),
            .clientIDs,
            .defaulted("fingerprints", \.thumbprints, Codec.texts, "Certificate fingerprints. They are stored and ignored."),
            .optional("description", \.description, Codec.text, "A description."),
        ])

    /// The name, which every provider of RAM has.
    var ramName: String {
        get { name ?? "" }
        set { name = newValue }
    }

    /// Returns the provider of a seed as a record of an account of Alibaba Cloud.
    func placedInRAM(_ account: String, created: Timestamp) -> OpenIDConnectTrust {
        var trust = placed(in: account, created: created)
        trust.updated = created
        return trust
    }
}

extension SAMLTrust {
    /// SAML providers of RAM in seeds, with the metadata of an external identity provider or the name of one in the seeds.
    package static let ramRecord = SeedRecord<SAMLTrust>(
        "SAML provider", blank: .blank,
        fields: [
            .ramName(\.name, .provider, expecting: RAMName.providerForm),
            .defaulted("metadata", \.metadata, Codec.text, "The identity provider's metadata."),
            .optional(
                "identityProvider", \.identityProvider, Codec.text, "The name of an identity provider of the seeds, in place of metadata."),
            .optional("description", \.description, Codec.text, "A description."),
        ]
    ) { trust, members in try trust.checkMetadata(members) }

    /// Returns the provider of a seed as a record of an account of Alibaba Cloud.
    func placedInRAM(_ account: String, created: Timestamp) -> SAMLTrust {
        var trust = self
        trust.account = account
        trust.created = created
        trust.updated = created
        return trust
    }
}

extension SeedField {
    /// The name of an entity of RAM.
    fileprivate static func ramName(
        _ path: any WritableKeyPath<Record, String> & Sendable, _ rule: RAMName, expecting expected: String
    ) -> SeedField {
        required("name", path, Codec.form(.nonempty, expecting: expected) { rule.allows($0) }, "The name.")
    }

    /// The policies of an entity of RAM.
    fileprivate static func policyNames(_ path: any WritableKeyPath<Record, [String]> & Sendable) -> SeedField {
        defaulted("policies", path, Codec.texts, "Names of policies of the account or of Alibaba Cloud.")
    }
}
