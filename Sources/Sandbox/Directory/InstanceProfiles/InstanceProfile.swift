package import Policy
package import WireFormats

/// What lets an instance take a role. (IAM User Guide, "Use instance profiles".)
package struct InstanceProfile: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// The name, unique in the account without regard to case.
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The unique identifier, `AIPA…`.
    package var id: String
    /// When it was created.
    package var created: Timestamp
    /// The name of the role in it, if there is one.
    package var role: String?
    /// The tags.
    package var tags: [Tag]

    package init(account: String, name: String, path: String, id: String, created: Timestamp, role: String? = nil, tags: [Tag] = []) {
        self.account = account
        self.name = name
        self.path = path
        self.id = id
        self.created = created
        self.role = role
        self.tags = tags
    }

    /// The ARN.
    package var arn: String { "arn:aws:iam::\(account):instance-profile\(path)\(name)" }
}
