import Directory
import WireFormats

extension SignedAccess {
    /// The roles in the token: those of the person or of the client's service account, with those that the client's mappers rename and add.
    var roles: [KeycloakRoleName] {
        let account = person.map(\.keycloak) ?? client.keycloak?.serviceAccount
        var roles = provider.effectiveRoles(of: account)
        let mappers = applicableMappers
        for mapper in mappers where mapper.kind == .roleName {
            guard let old = mapper.setting("role"), let new = mapper.setting("new.role.name") else { continue }
            let name = KeycloakRoleName(parsing: old)
            roles = roles.map { $0 == name ? KeycloakRoleName(parsing: new) : $0 }
        }
        for mapper in mappers where mapper.kind == .hardcodedRole {
            guard let name = mapper.setting("role").map({ KeycloakRoleName(parsing: $0) }), !roles.contains(name) else { continue }
            roles.append(name)
        }
        return roles
    }

    /// The claims `realm_access` and `resource_access`.
    var roleClaims: JSONObject {
        var ofRealm: [JSONValue] = []
        var ofClients = JSONObject()
        for role in roles {
            guard let client = role.client else {
                ofRealm.append(.string(role.name))
                continue
            }
            ofClients[client] = ["roles": .array((ofClients[client]?["roles"]?.arrayValue ?? []) + [.string(role.name)])]
        }
        return ["realm_access": ["roles": .array(ofRealm)], "resource_access": .object(ofClients)]
    }

    /// The roles of clients in the token: those that were granted, and those that the claim `resource_access` of the person or of the client
    /// names besides.
    package var clientRoles: RealmRoles {
        RealmRoles(granted: roleClaims["resource_access"]?.objectValue ?? [:], in: person?.claims ?? client.attributes)
    }

    /// The audiences that the client can ask for in an exchange: the clients of the roles, and those that the client's mappers add.
    package var availableAudiences: [String] {
        let mapped = applicableMappers.filter { $0.kind == .audience }.flatMap { mapper in
            ["included.client.audience", "included.custom.audience"].compactMap { mapper.setting($0) }
        }
        return clientRoles.audiences(without: client.id) + mapped
    }

    /// The client's mappers that apply to the granted scopes.
    var applicableMappers: [KeycloakMapper] {
        (client.keycloak?.mappers ?? []).filter { mapper in mapper.scope.map { scopes.contains($0) } ?? true }
    }
}

extension KeycloakRoleName {
    /// Creates the name that a mapper has: `role`, or `client.role`.
    fileprivate init(parsing text: String) {
        guard let dot = text.lastIndex(of: ".") else {
            self.init(text)
            return
        }
        self.init(client: String(text[..<dot]), String(text[text.index(after: dot)...]))
    }
}
