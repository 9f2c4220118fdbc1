package import WireFormats

/// A group of people in a user pool. (Amazon Cognito User Pools API Reference, `GroupType`.)
package struct UserPoolGroup: Sendable, Codable {
    /// The identifier of the pool.
    package var pool: String
    /// The name, unique in the pool.
    package var name: String
    /// The description; `nil` if there is none.
    package var description: String?
    /// The ARN of the role; `nil` if there is none.
    package var role: String?
    /// The precedence, of which the least one wins; `nil` if there is none.
    package var precedence: Int?
    /// When the group was created.
    package var created: Timestamp
    /// When the group was last changed.
    package var modified: Timestamp

    package init(pool: String, name: String, created: Timestamp) {
        self.pool = pool
        self.name = name
        self.created = created
        modified = created
    }

    /// Returns the role of the most preferred group; `nil` if there is none, or if groups of the same precedence have others.
    /// Groups without a precedence have no say.
    package static func preferredRole(of groups: [UserPoolGroup]) -> String? {
        let candidates = groups.filter { $0.role != nil && $0.precedence != nil }
        guard let least = candidates.compactMap(\.precedence).min() else { return nil }
        let roles = candidates.filter { $0.precedence == least }.compactMap(\.role)
        guard let first = roles.first, roles.allSatisfy({ $0.equals(first) }) else { return nil }
        return first
    }
}
