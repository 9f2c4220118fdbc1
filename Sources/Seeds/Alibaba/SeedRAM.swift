import Directory
import Policy
import WireFormats

// RAM's identities and policies in seeds. Policies are referred to by name. An account's own policies take precedence over system policies.

/// A custom policy.
struct SeedRAMPolicy: Sendable, Decodable {
    var name: String
    var description: String?
    var document: PolicyDocument

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, description, document }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a policy name of 1 to 128 letters, digits and hyphens", where: RAMName.policy.allows)
        description = try container.decode(ifThere: .description)
        document = try container.decodePolicy(.identity, forKey: .document, .ram)
    }

    func policy(in account: String, created: Timestamp) -> ManagedPolicy {
        ManagedPolicy(
            account: account, name: name, path: "/", id: UniqueName.number("4", of: "\(account)/policy/\(name)"), description: description,
            created: created, document: document)
    }
}

struct SeedRAMGroup: Sendable, Decodable {
    var name: String
    var comments: String?
    var policies: [String]

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, comments, policies }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a group name of 1 to 64 letters, digits and .-_", where: RAMName.group.allows)
        comments = try container.decode(ifThere: .comments)
        policies = try container.decode(.policies, or: [])
    }

    func group(in account: String, created: Timestamp, policies: [String]) -> Group {
        var group = Group(
            account: account, name: name, path: "/", id: "g-" + UniqueName.id(prefix: "", of: "\(account)/group/\(name)").prefix(16),
            created: created, attachedPolicies: policies)
        group.profile = GroupProfile(comments: comments, updated: created)
        group.attachmentDates = Dictionary(policies.map { ($0, created) }) { first, _ in first }
        return group
    }
}

struct SeedRAMUser: Sendable, Decodable {
    var name: String
    var profile: UserProfile
    var accessKeys: [SeedAccessKey]
    var policies: [String]
    var groups: [String]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, displayName, comments, email, mobilePhone, accessKeys, policies, groups
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a user name of 1 to 64 letters, digits and .-_@", where: RAMName.user.allows)
        profile = UserProfile(
            displayName: try container.decode(ifThere: .displayName), comments: try container.decode(ifThere: .comments),
            email: try container.decode(ifThere: .email), mobilePhone: try container.decode(ifThere: .mobilePhone))
        accessKeys = try container.decode(.accessKeys, or: [])
        policies = try container.decode(.policies, or: [])
        groups = try container.decode(.groups, or: [])
    }

    func user(in account: String, created: Timestamp, policies: [String]) -> User {
        var user = User(
            account: account, name: name, path: "/", id: UniqueName.number("2", of: "\(account)/user/\(name)"), created: created,
            accessKeys: accessKeys.map { AccessKey(id: $0.key.id, secret: $0.key.secret, created: created) }, attachedPolicies: policies,
            groups: groups)
        user.profile = profile
        user.profile?.updated = created
        user.attachmentDates = Dictionary(policies.map { ($0, created) }) { first, _ in first }
        user.joinDates = Dictionary(groups.map { ($0, created) }) { first, _ in first }
        return user
    }
}

struct SeedRAMRole: Sendable, Decodable {
    var name: String
    var description: String?
    var trustPolicy: PolicyDocument
    var policies: [String]
    var maximumSessionDuration: Int

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, description, trustPolicy, policies, maximumSessionDuration }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a role name of 1 to 64 letters, digits and .-_", where: RAMName.role.allows)
        description = try container.decode(ifThere: .description)
        trustPolicy = try container.decodePolicy(.trust, forKey: .trustPolicy, .ram)
        policies = try container.decode(.policies, or: [])
        maximumSessionDuration =
            container.contains(.maximumSessionDuration)
            ? try container.decode(.maximumSessionDuration, expecting: "seconds from 3600 to 43200") { (3600...43200).contains($0) }
            : 3600
    }

    func role(in account: String, created: Timestamp, policies: [String]) -> Role {
        var role = Role(
            account: account, name: name, path: "/", id: UniqueName.number("3", of: "\(account)/role/\(name)"), created: created,
            description: description, trustPolicy: TrustPolicy(document: trustPolicy), attachedPolicies: policies,
            maximumSessionDuration: maximumSessionDuration)
        role.updated = created
        role.attachmentDates = Dictionary(policies.map { ($0, created) }) { first, _ in first }
        return role
    }
}

/// An OpenID Connect provider, identified by the URL of its issuer: one of this server or an external one.
struct SeedRAMOpenIDConnectProvider: Sendable, Decodable {
    var name: String
    var url: String
    var clientIDs: [String]
    var fingerprints: [String]
    var description: String?

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, url, clientIDs, fingerprints, description }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: RAMName.providerForm, where: RAMName.provider.allows)
        url = try container.decode(.url, expecting: issuerForm, where: isIssuer)
        clientIDs = try container.decode([String].self, forKey: .clientIDs)
        fingerprints = try container.decode(.fingerprints, or: [])
        description = try container.decode(ifThere: .description)
    }

    func trust(in account: String, created: Timestamp) -> OpenIDConnectTrust {
        var trust = OpenIDConnectTrust(account: account, url: url, clientIDs: clientIDs, thumbprints: fingerprints, created: created)
        trust.name = name
        trust.description = description
        trust.updated = created
        return trust
    }
}

/// A SAML provider, with the metadata of an external identity provider or the name of one in the seeds.
struct SeedRAMSAMLProvider: Sendable, Decodable {
    var name: String
    var metadata: String
    var identityProvider: String?
    var description: String?

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, metadata, identityProvider, description }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: RAMName.providerForm, where: RAMName.provider.allows)
        identityProvider = try container.decode(ifThere: .identityProvider)
        metadata = try container.decodeMetadata(.metadata, ofOurs: identityProvider != nil)
        description = try container.decode(ifThere: .description)
    }

    func trust(in account: String, created: Timestamp) -> SAMLTrust {
        var trust = SAMLTrust(account: account, name: name, metadata: metadata, created: created)
        trust.identityProvider = identityProvider
        trust.description = description
        trust.updated = created
        return trust
    }
}
