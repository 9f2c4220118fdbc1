package import WireFormats

/// The roles and groups of an OpenID Connect issuer that is used as a Keycloak realm.
package struct KeycloakRealm: Hashable, Sendable, Codable {
    /// The roles of the realm and of its clients, beside those that every realm has.
    package var roles: [KeycloakRole] = []
    /// The top-level groups.
    package var groups: [KeycloakGroup] = []

    package init() {}
}

/// The name of a role: of the realm, or of a client.
package struct KeycloakRoleName: Hashable, Sendable, Codable {
    /// The client that the role belongs to; `nil` for a role of the realm.
    package var client: String?
    /// The name.
    package var name: String

    package init(client: String? = nil, _ name: String) {
        self.client = client
        self.name = name
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.name == other.name && one.client.map { TextKey($0) } == other.client.map { TextKey($0) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(client.map { TextKey($0) })
        hasher.combine(TextKey(name))
    }
}

/// A role of a Keycloak realm or of one of its clients.
package struct KeycloakRole: Hashable, Sendable, Codable {
    /// The identifier.
    package var id: String
    /// The name.
    package var name: KeycloakRoleName
    /// A description.
    package var description: String?
    /// The roles that the role includes.
    package var composites: [KeycloakRoleName]
    /// Attributes: name to a list of texts.
    package var attributes: JSONObject

    package init(
        id: String, name: KeycloakRoleName, description: String? = nil, composites: [KeycloakRoleName] = [], attributes: JSONObject = [:]
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.composites = composites
        self.attributes = attributes
    }

    /// Returns the identifier of a role that a seed declares without one.
    package static func identifier(of name: KeycloakRoleName) -> String {
        KeycloakIdentifier.derived(from: "role", name.client ?? "", name.name)
    }
}

/// A group of a Keycloak realm. Its members have the roles of the group and of the groups above it.
package struct KeycloakGroup: Hashable, Sendable, Codable {
    /// The identifier.
    package var id: String
    /// The name, the last part of the path.
    package var name: String
    /// Attributes: name to a list of texts.
    package var attributes: JSONObject
    /// The roles of the members.
    package var roles: [KeycloakRoleName]
    /// The groups below it.
    package var subgroups: [KeycloakGroup]

    package init(
        id: String, name: String, attributes: JSONObject = [:], roles: [KeycloakRoleName] = [], subgroups: [KeycloakGroup] = []
    ) {
        self.id = id
        self.name = name
        self.attributes = attributes
        self.roles = roles
        self.subgroups = subgroups
    }
}

/// A group with its place among the groups of a realm.
package struct KeycloakGroupPlace: Sendable {
    /// The group.
    package var group: KeycloakGroup
    /// The names of the group and of those above it: `/staff/admins`.
    package var path: String
    /// The group above it; `nil` for a top-level group.
    package var parentID: String?

    package init(group: KeycloakGroup, path: String, parentID: String? = nil) {
        self.group = group
        self.path = path
        self.parentID = parentID
    }
}

extension KeycloakRealm {
    /// All groups in the order of the tree, each before those below it.
    package var allGroups: [KeycloakGroupPlace] { Self.places(of: groups, below: "", parentID: nil) }

    private static func places(of groups: [KeycloakGroup], below path: String, parentID: String?) -> [KeycloakGroupPlace] {
        groups.flatMap { group -> [KeycloakGroupPlace] in
            let place = KeycloakGroupPlace(group: group, path: "\(path)/\(group.name)", parentID: parentID)
            return [place] + places(of: group.subgroups, below: place.path, parentID: group.id)
        }
    }

    /// Adds a group below another one, or at the top.
    /// - Parameter parentID: the identifier of the group above it; `nil` for a top-level group.
    package mutating func add(_ group: KeycloakGroup, below parentID: String?) {
        guard let parentID else {
            groups.append(group)
            return
        }
        replaceGroup(parentID) { parent in
            var parent = parent
            parent.subgroups.append(group)
            return [parent]
        }
    }

    /// Changes the group with an identifier, where it is in the tree.
    /// - Parameter change: returns the groups that replace it.
    package mutating func replaceGroup(_ id: String, by change: (KeycloakGroup) -> [KeycloakGroup]) {
        groups = Self.replaced(id, in: groups, change)
    }

    private static func replaced(_ id: String, in groups: [KeycloakGroup], _ change: (KeycloakGroup) -> [KeycloakGroup]) -> [KeycloakGroup]
    {
        groups.flatMap { group -> [KeycloakGroup] in
            guard group.id != id else { return change(group) }
            var group = group
            group.subgroups = replaced(id, in: group.subgroups, change)
            return [group]
        }
    }
}
