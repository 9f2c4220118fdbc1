package import WireFormats

/// What a Keycloak realm knows of a person, or of the service account of a client, beside its claims.
package struct KeycloakAccount: Hashable, Sendable, Codable {
    /// Attributes: name to a list of texts.
    package var attributes: JSONObject = [:]
    /// The roles that were assigned to the person itself.
    package var roles: [KeycloakRoleName] = []
    /// The paths of the person's groups, such as `/staff/admins`.
    package var groups: [String] = []
    /// What the person must do at the next login, such as `UPDATE_PASSWORD`. Until then, the password grant refuses the person.
    package var requiredActions: [String] = []
    /// When the person was created; `nil` for a person of a seed.
    package var created: Timestamp?

    package init() {}

    /// The attributes as texts.
    package func attribute(_ name: String) -> [String] {
        switch attributes[name] {
        case .array(let values): values.compactMap(\.stringValue)
        case .string(let value): [value]
        default: []
        }
    }
}

/// What a Keycloak realm knows of a client that other issuers do not have.
package struct KeycloakClient: Hashable, Sendable, Codable {
    /// The account in whose name the client acts for itself; `nil` for one without roles.
    package var serviceAccount: KeycloakAccount?
    /// The mappers, which add claims to tokens.
    package var mappers: [KeycloakMapper] = []
    /// The members of the client's representation that have no effect here. The Admin API returns them.
    package var settings: JSONObject = [:]

    package init() {}

    /// The origins of the client's pages.
    package var webOrigins: [String] { settings["webOrigins"]?.arrayValue?.compactMap(\.stringValue) ?? [] }
}

/// A protocol mapper of Keycloak: a rule that adds a claim, a role or an audience to tokens. (Keycloak, "Server Administration Guide",
/// "OIDC token and SAML assertion mappings".)
package struct KeycloakMapper: Hashable, Sendable, Codable {
    /// The kinds of mappers. The raw value is Keycloak's provider ID.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case audience = "oidc-audience-mapper"
        case userAttribute = "oidc-usermodel-attribute-mapper"
        case userProperty = "oidc-usermodel-property-mapper"
        case fullName = "oidc-full-name-mapper"
        case groupMembership = "oidc-group-membership-mapper"
        case realmRole = "oidc-usermodel-realm-role-mapper"
        case clientRole = "oidc-usermodel-client-role-mapper"
        case hardcodedClaim = "oidc-hardcoded-claim-mapper"
        case hardcodedRole = "oidc-hardcoded-role-mapper"
        case roleName = "oidc-role-name-mapper"
        case sessionNote = "oidc-usersessionmodel-note-mapper"
        case allowedOrigins = "oidc-allowed-origins-mapper"
    }

    /// The identifier.
    package var id: String
    /// The name.
    package var name: String
    /// The kind of mapper.
    package var kind: Kind
    /// The scope that a request must name for the mapper to apply; `nil` for none.
    package var scope: String?
    /// The settings: name to text.
    package var config: JSONObject

    package init(id: String, name: String, kind: Kind, scope: String? = nil, config: JSONObject) {
        self.id = id
        self.name = name
        self.kind = kind
        self.scope = scope
        self.config = config
    }

    /// Returns the text of a setting; `nil` if it is absent or empty.
    package func setting(_ name: String) -> String? { config[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns whether a setting is on.
    /// - Parameter usual: the value of an absent setting.
    package func isOn(_ name: String, or usual: Bool = false) -> Bool {
        switch config[name] {
        case .string(let text) where !text.isEmpty: text == "true"
        case .bool(let value): value
        default: usual
        }
    }
}
