package import WireFormats

/// An identity provider with which people sign in at a user pool. (Amazon Cognito User Pools API Reference, `IdentityProviderType`.)
package struct UserPoolIdentityProvider: Sendable, Codable, Hashable {
    /// The kinds. The raw value is that of `IdentityProviderTypeType`.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case saml = "SAML"
        case facebook = "Facebook"
        case google = "Google"
        case amazon = "LoginWithAmazon"
        case apple = "SignInWithApple"
        case openIDConnect = "OIDC"

        /// The kind of the identity provider of the sandbox that stands for a service of the Internet; `nil` for other providers.
        package var social: IdentityProvider.Kind? {
            switch self {
            case .facebook: .facebook
            case .google: .google
            case .amazon: .amazon
            case .saml, .apple, .openIDConnect: nil
            }
        }

        /// The claim that identifies a person.
        package var subjectClaim: String {
            switch self {
            case .facebook: "id"
            case .amazon: "user_id"
            case .saml, .google, .apple, .openIDConnect: "sub"
            }
        }
    }

    /// The identifier of the pool.
    package var pool: String
    /// The name, unique in the pool.
    package var name: String
    /// The kind.
    package var kind: Kind
    /// The settings, such as `client_id`, sorted by name.
    package var details: [UserPoolUser.Attribute]
    /// The claims that become attributes, by the name of the attribute.
    package var mapping: [UserPoolUser.Attribute]
    /// The values of `idp_identifier` that lead to the provider.
    package var identifiers: [String]
    /// When the provider was created.
    package var created: Timestamp
    /// When the provider was last changed.
    package var modified: Timestamp

    package init(
        pool: String, name: String, kind: Kind, details: [UserPoolUser.Attribute], mapping: [UserPoolUser.Attribute] = [],
        identifiers: [String] = [], created: Timestamp
    ) {
        (self.pool, self.name, self.kind, self.details) = (pool, name, kind, details)
        (self.mapping, self.identifiers, self.created) = (mapping, identifiers, created)
        modified = created
    }

    /// Returns a setting; `nil` if it is missing or empty.
    package subscript(detail: String) -> String? {
        details.first { $0.name == detail }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// The name of the group of its people, which the service makes by itself.
    package var group: String { "\(pool)_\(name)" }

    /// Returns the username of a person.
    package func username(of subject: String) -> String { "\(name)_\(subject)" }
}

/// A person as an identity provider names it. (Amazon Cognito Developer Guide, "Linking federated users to an existing user profile".)
package struct UserPoolLink: Sendable, Codable, Hashable {
    /// The name of the provider.
    package var provider: String
    /// The kind of the provider.
    package var kind: UserPoolIdentityProvider.Kind
    /// The person's identifier at the provider.
    package var subject: String
    /// Whether the person was created by signing in with it.
    package var isPrimary: Bool
    /// When the person first signed in with it, or it was linked.
    package var created: Timestamp

    package init(provider: String, kind: UserPoolIdentityProvider.Kind, subject: String, isPrimary: Bool, created: Timestamp) {
        (self.provider, self.kind, self.subject, self.isPrimary, self.created) = (provider, kind, subject, isPrimary, created)
    }

    /// The maximum number of links of a person. (Amazon Cognito User Pools API Reference, AdminLinkProviderForUser.)
    package static let most = 5
}
