package import Policy
import WireFormats

/// How the role of an identity follows from the token of a provider. (Amazon Cognito Federated Identities API Reference, "RoleMapping";
/// Amazon Cognito Developer Guide, "Role-based access control".)
package struct PoolRoleMapping: Sendable, Codable {
    /// The two kinds.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The claims `cognito:roles` and `cognito:preferred_role` name the role.
        case token = "Token"
        /// The first matching rule names it.
        case rules = "Rules"
    }

    /// What happens if no role follows from the token.
    package enum Resolution: String, Sendable, Codable, CaseIterable {
        case authenticatedRole = "AuthenticatedRole"
        case deny = "Deny"
    }

    /// A rule. (API Reference, "MappingRule".)
    package struct Rule: Sendable, Codable {
        /// How the value of the claim is compared.
        package enum Comparison: String, Sendable, Codable, CaseIterable {
            case equals = "Equals"
            case contains = "Contains"
            case startsWith = "StartsWith"
            case notEqual = "NotEqual"
        }

        /// The name of the claim.
        package var claim: String
        /// How the claim is compared with the value.
        package var comparison: Comparison
        /// The value that the claim is compared with.
        package var value: String
        /// The ARN of the role.
        package var role: String

        package init(claim: String, comparison: Comparison, value: String, role: String) {
            self.claim = claim
            self.comparison = comparison
            self.value = value
            self.role = role
        }
    }

    /// The key of logins, the ARN of a provider, or `<key>:<client>` for a client of a user pool.
    package var provider: String
    /// Whether the token or rules name the role.
    package var kind: Kind
    /// What happens if no role follows.
    package var resolution: Resolution?
    /// The rules, in order.
    package var rules: [Rule] = []

    package init(provider: String, kind: Kind, resolution: Resolution? = nil, rules: [Rule] = []) {
        self.provider = provider
        self.kind = kind
        self.resolution = resolution
        self.rules = rules
    }
}

/// Which claims of a provider's tokens become session tags. (API Reference, "SetPrincipalTagAttributeMap".)
package struct PrincipalTagMap: Sendable, Codable {
    /// The key of logins, or the ARN of a SAML provider.
    package var provider: String
    /// Whether the map is the default of the service.
    package var usesDefaults: Bool
    /// Keys of tags, each with the name of its claim.
    package var claims: [Tag]

    package init(provider: String, usesDefaults: Bool, claims: [Tag]) {
        self.provider = provider
        self.usesDefaults = usesDefaults
        self.claims = claims
    }

    /// The default of the service. (Recorded answers of AWS.)
    package static let defaults = [Tag(key: "client", value: "aud"), Tag(key: "username", value: "sub")]
}
