package import WireFormats

/// The client roles of a person or a service account in a Keycloak realm: those that were granted, and those of the claim `resource_access`.
package struct RealmRoles: Sendable {
    /// The names of roles, by client.
    private let roles: [(client: String, names: [String])]

    /// - Parameters:
    ///   - granted: the roles in the form of the claim `resource_access`.
    ///   - claims: the claims of the person, or the attributes of a client that acts for itself, which may name further roles.
    package init(granted: JSONObject, in claims: JSONObject?) {
        var roles: [(client: String, names: [String])] = []
        for (client, value) in granted.members + (claims?["resource_access"]?.objectValue?.members ?? []) {
            let names = value["roles"]?.arrayValue?.compactMap(\.stringValue) ?? []
            guard let place = roles.firstIndex(where: { $0.client == client }) else {
                roles.append((client, names))
                continue
            }
            let known = roles[place].names
            roles[place].names += names.filter { !known.contains($0) }
        }
        self.roles = roles
    }

    /// The claim `resource_access`.
    package var claim: JSONObject {
        JSONObject(
            roles.map { role in (role.client, JSONValue.object(["roles": .array(role.names.map { .string($0) })])) })
    }

    /// Returns the clients of which the person has a role, except one: Keycloak's mapper "audience resolve".
    package func audiences(without client: String) -> [String] {
        roles.filter { !$0.names.isEmpty && $0.client != client }.map(\.client)
    }
}
