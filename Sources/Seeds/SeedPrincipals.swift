import Directory
import Policy
import WireFormats

struct SeedUser: Sendable, Decodable {
    var name: String
    var path: String
    var accessKeys: [SeedAccessKey]
    var policies: [InlinePolicy]
    var attachedPolicies: [String]
    var groups: [String]
    var boundary: String?
    var tags: [Tag]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, path, accessKeys, policies, attachedPolicies, groups, boundary, tags
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a user name of 1 to 64 letters, digits and _+=,.@-", where: isPrincipalName)
        path = try container.path(.path)
        accessKeys = try container.decode(.accessKeys, or: [])
        policies = try container.decode(.policies, or: SeedPolicies()).policies
        attachedPolicies = try container.decode(.attachedPolicies, or: [])
        groups = try container.decode(.groups, or: [])
        boundary = try container.decode(ifThere: .boundary)
        tags = try container.decode(.tags, or: SeedTags()).tags
    }

    func user(in account: String, created: Timestamp) -> User {
        User(
            account: account, name: name, path: path, id: UniqueName.id(prefix: "AIDA", of: "\(account)/user/\(name)"), created: created,
            accessKeys: accessKeys.map { AccessKey(id: $0.key.id, secret: $0.key.secret, created: created) }, policies: policies,
            attachedPolicies: attachedPolicies, groups: groups, boundary: boundary, tags: tags)
    }
}

struct SeedGroup: Sendable, Decodable {
    var name: String
    var path: String
    var policies: [InlinePolicy]
    var attachedPolicies: [String]

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, path, policies, attachedPolicies }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a group name of 1 to 128 letters, digits and _+=,.@-") {
            isEntityName($0, longest: 128)
        }
        path = try container.path(.path)
        policies = try container.decode(.policies, or: SeedPolicies()).policies
        attachedPolicies = try container.decode(.attachedPolicies, or: [])
    }

    func group(in account: String, created: Timestamp) -> Group {
        Group(
            account: account, name: name, path: path, id: UniqueName.id(prefix: "AGPA", of: "\(account)/group/\(name)"), created: created,
            policies: policies, attachedPolicies: attachedPolicies)
    }
}

struct SeedRole: Sendable, Decodable {
    var name: String
    var path: String
    var description: String?
    var trustPolicy: TrustPolicy
    var policies: [InlinePolicy]
    var attachedPolicies: [String]
    var boundary: String?
    var tags: [Tag]
    var maximumSessionDuration: Int
    var maximumSignInDuration: Int?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, path, description, trustPolicy, policies, attachedPolicies, boundary, tags, maximumSessionDuration,
            maximumSignInDuration
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a role name of 1 to 64 letters, digits and _+=,.@-", where: isPrincipalName)
        path = try container.path(.path)
        description = try container.decode(ifThere: .description)
        trustPolicy = try container.decode(TrustPolicy.self, forKey: .trustPolicy)
        policies = try container.decode(.policies, or: SeedPolicies()).policies
        attachedPolicies = try container.decode(.attachedPolicies, or: [])
        boundary = try container.decode(ifThere: .boundary)
        tags = try container.decode(.tags, or: SeedTags()).tags
        maximumSessionDuration =
            container.contains(.maximumSessionDuration)
            ? try container.decode(.maximumSessionDuration, expecting: "seconds from 3600 to 43200") { (3600...43200).contains($0) }
            : 3600
        maximumSignInDuration =
            container.contains(.maximumSignInDuration)
            ? try container.decode(.maximumSignInDuration, expecting: "seconds from 3600 to 7776000", where: Role.signInDurations.contains)
            : nil
    }

    func role(in account: String, created: Timestamp) -> Role {
        var role = Role(
            account: account, name: name, path: path, id: UniqueName.id(prefix: "AROA", of: "\(account)/role/\(name)"), created: created,
            description: description, trustPolicy: trustPolicy, policies: policies, attachedPolicies: attachedPolicies, boundary: boundary,
            tags: tags, maximumSessionDuration: maximumSessionDuration)
        role.maximumSignInDuration = maximumSignInDuration
        return role
    }
}

/// Inline policies as an object of names and documents.
struct SeedPolicies: Sendable, Decodable {
    var policies: [InlinePolicy] = []

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        for name in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            let document = try container.decodePolicy(.identity, forKey: name)
            policies.append(InlinePolicy(name: name.stringValue, document: document))
        }
    }
}

/// Tags as an object of keys and values.
struct SeedTags: Sendable, Decodable {
    var tags: [Tag] = []

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.singleValueContainer().decode([String: String].self)
        tags = values.map { Tag(key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
    }
}

/// Returns whether IAM accepts the name of a user or role. (IAM API Reference, "CreateRole", `RoleName`.)
private func isPrincipalName(_ name: String) -> Bool { isEntityName(name, longest: 64) }

/// Returns whether IAM accepts the name of an entity.
func isEntityName(_ name: String, longest: Int) -> Bool {
    (1...longest).contains(name.utf8.count)
        && name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "_+=,.@-".utf8.contains(byte)
            }
        }
}

extension KeyedDecodingContainer {
    /// Decodes the path of an IAM entity; `/` if the key is absent. (IAM API Reference, "CreateRole", `Path`.)
    func path(_ key: Key) throws -> String {
        guard contains(key) else { return "/" }
        return try decode(key, expecting: "a path that begins and ends with /") { (path: String) in
            path.hasPrefix("/") && path.hasSuffix("/") && path.utf8.count <= 512 && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
    }
}
