package import Directory
import Policy
import WireFormats

extension AccessKey {
    /// Access keys in seeds.
    package static let record = SeedRecord<AccessKey>(
        "Access key", blank: AccessKey(id: "", secret: ""),
        fields: [
            .required("id", \.id, Codec.nonempty("an access key id"), "The access key ID."),
            .required("secret", \.secret, Codec.nonempty("a secret access key"), "The secret access key."),
        ])
}

extension User {
    /// Users of IAM in seeds.
    package static let record = SeedRecord<User>(
        "IAM user", blank: User(account: "", name: "", path: "/", id: ""),
        fields: [
            .required("name", \.name, Codec.entityName(longest: 64, of: "a user"), "The user name."),
            .path(\.path),
            .defaulted("accessKeys", \.accessKeys, Codec.list(AccessKey.record), "Access keys."),
            .inlinePolicies(\.policies),
            .attachedPolicies(\.attachedPolicies),
            .defaulted("groups", \.groups, Codec.texts, "Names of groups of the account."),
            .boundary(\.boundary),
            .tags(\.tags),
        ])

    /// Returns the user of a seed as a record of an account.
    func placed(in account: String, created: Timestamp) -> User {
        var user = self
        user.account = account
        user.id = UniqueName.id(prefix: "AIDA", of: "\(account)/user/\(name)")
        user.created = created
        user.accessKeys = accessKeys.created(created)
        return user
    }
}

extension [AccessKey] {
    /// Returns the keys with a time of creation.
    func created(_ time: Timestamp) -> [AccessKey] { map { AccessKey(id: $0.id, secret: $0.secret, created: time) } }
}

extension Group {
    /// Groups of IAM in seeds.
    package static let record = SeedRecord<Group>(
        "IAM group", blank: Group(account: "", name: "", path: "/", id: "", created: .fill),
        fields: [
            .required("name", \.name, Codec.entityName(longest: 128, of: "a group"), "The group name."),
            .path(\.path),
            .inlinePolicies(\.policies),
            .attachedPolicies(\.attachedPolicies),
        ])

    /// Returns the group of a seed as a record of an account.
    func placed(in account: String, created: Timestamp) -> Group {
        var group = self
        group.account = account
        group.id = UniqueName.id(prefix: "AGPA", of: "\(account)/group/\(name)")
        group.created = created
        return group
    }
}

extension Role {
    /// Roles of IAM in seeds.
    package static let record = SeedRecord<Role>(
        "IAM role", blank: .blank,
        fields: [
            .required("name", \.name, Codec.entityName(longest: 64, of: "a role"), "The role name."),
            .path(\.path),
            .optional("description", \.description, Codec.text, "A description."),
            .required("trustPolicy", \.trustPolicy, Codec.trustPolicy, "Who may assume the role."),
            .inlinePolicies(\.policies),
            .attachedPolicies(\.attachedPolicies),
            .boundary(\.boundary),
            .tags(\.tags),
            .maximumSessionDuration,
            .optional(
                "maximumSignInDuration", \.maximumSignInDuration, Codec.integer(Role.signInDurations, "seconds"),
                "Seconds; MaxSigninSessionDuration of IAM."),
        ])

    /// A role before its fields are read.
    static let blank = Role(account: "", name: "", path: "/", id: "", trustPolicy: TrustPolicy(document: .empty))

    /// Returns the role of a seed as a record of an account.
    func placed(in account: String, created: Timestamp) -> Role {
        var role = self
        role.account = account
        role.id = UniqueName.id(prefix: "AROA", of: "\(account)/role/\(name)")
        role.created = created
        return role
    }
}

extension SeedField<Role> {
    /// The maximum duration of the sessions of a role in either cloud.
    static var maximumSessionDuration: SeedField {
        defaulted("maximumSessionDuration", \.maximumSessionDuration, Codec.integer(3600...43200, "seconds"), "Seconds; 3600 by default.")
    }
}
