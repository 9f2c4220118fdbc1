package import WireFormats

/// An identity of an identity pool, with its logins. (Amazon Cognito Federated Identities API Reference, "IdentityDescription".)
package struct PoolIdentity: Sendable, Codable {
    /// The person that a provider has authenticated.
    package struct Login: Hashable, Sendable, Codable {
        /// The key of logins.
        package var provider: String
        /// The provider's identifier of the person.
        package var subject: String

        package init(provider: String, subject: String) {
            self.provider = provider
            self.subject = subject
        }

        /// Returns whether two logins have the same bytes.
        package static func == (left: Self, right: Self) -> Bool { left.provider == right.provider && left.subject == right.subject }
    }

    /// The identifier of the pool.
    package var pool: String
    /// `<region>:<UUID>`.
    package var id: String
    /// The logins, in the order in which they were linked.
    package var logins: [Login]
    /// Whether the identity has had a login. It never becomes a guest again.
    package var isAuthenticated: Bool
    /// The identity that took over the logins; `nil` if the identity was not merged.
    package var mergedInto: String?
    /// When it was created.
    package var created: Timestamp
    /// When its logins last changed.
    package var modified: Timestamp

    package init(pool: String, id: String, logins: [Login], created: Timestamp) {
        self.pool = pool
        self.id = id
        self.logins = logins
        isAuthenticated = !logins.isEmpty
        self.created = created
        modified = created
    }

    /// Whether the identity cannot be used any more: it was merged, or its last login was unlinked.
    package var isDisabled: Bool { mergedInto != nil || isAuthenticated && logins.isEmpty }

    /// The keys of the logins, each once.
    package var providers: [String] { logins.map(\.provider).uniqued() }
}
