import WireFormats

extension KeycloakRealm {
    /// The name of the realm whose administrators manage all realms.
    package static let masterName = "master"

    /// The client whose roles allow a person to manage its own realm.
    package static let managementClient = "realm-management"

    /// The roles of a realm that every person has, by their names.
    private static let usual = ["offline_access", "uma_authorization"]

    /// The role that lets people of the realm ``masterName`` manage all realms.
    package static let adminRole = KeycloakRoleName("admin")

    /// The clients that every realm has, with their roles. (Keycloak, "Server Administration Guide", "Dedicated realm admin consoles".)
    package static let builtInClients: [(id: String, roles: [String])] = [
        (
            "account",
            [
                "manage-account", "manage-account-links", "view-profile", "delete-account", "manage-consent", "view-applications",
                "view-consent", "view-groups",
            ]
        ),
        ("broker", ["read-token"]),
        (
            managementClient,
            [
                "realm-admin", "create-client", "impersonation", "manage-authorization", "manage-clients", "manage-events",
                "manage-identity-providers", "manage-realm", "manage-users", "query-clients", "query-groups", "query-realms",
                "query-users", "view-authorization", "view-clients", "view-events", "view-identity-providers", "view-realm", "view-users",
            ]
        ),
    ]

    /// Returns the role of a realm that includes what every person has.
    package static func defaultRole(of realm: String) -> KeycloakRoleName { KeycloakRoleName("default-roles-\(realm.lowercasedASCII)") }

    /// Returns the roles that every realm has.
    package static func builtInRoles(of realm: String) -> [KeycloakRole] {
        let account = ["manage-account", "view-profile"].map { KeycloakRoleName(client: "account", $0) }
        let ofEveryone = builtIn(defaultRole(of: realm), usual.map { KeycloakRoleName($0) } + account)
        return [ofEveryone] + usualRoles + (realm == masterName ? [administration] : []) + clientRoles
    }

    // Made once, since every token of a realm needs them.
    private static let usualRoles = usual.map { builtIn(KeycloakRoleName($0)) }
    private static let administration = builtIn(adminRole)
    private static let clientRoles: [KeycloakRole] = builtInClients.flatMap { client in
        client.roles.map { name in
            builtIn(
                KeycloakRoleName(client: client.id, name),
                composites(of: name, among: client.roles).map { KeycloakRoleName(client: client.id, $0) })
        }
    }

    private static func builtIn(_ name: KeycloakRoleName, _ composites: [KeycloakRoleName] = []) -> KeycloakRole {
        KeycloakRole(
            id: KeycloakRole.identifier(of: name), name: name, description: "${role_\(name.name)}", composites: composites)
    }

    private static func composites(of name: String, among roles: [String]) -> [String] {
        switch name {
        case "manage-account": ["manage-account-links"]
        case "manage-consent": ["view-consent"]
        case "realm-admin": roles.filter { $0 != name }
        case "view-users": ["query-users", "query-groups"]
        case "view-clients": ["query-clients"]
        default: []
        }
    }
}

extension IdentityProvider {
    /// All roles of the realm and of its clients: those that every realm has, then the realm's own, which can replace them.
    package var keycloakRoles: [KeycloakRole] {
        let own = keycloak?.roles ?? []
        return KeycloakRealm.builtInRoles(of: name).filter { role in !own.contains { $0.name == role.name } } + own
    }

    /// All groups of the realm, each before those below it.
    package var keycloakGroups: [KeycloakGroupPlace] { keycloak?.allGroups ?? [] }

    /// Returns the role with a name, or `nil` if there is none.
    package func keycloakRole(_ name: KeycloakRoleName) -> KeycloakRole? { keycloakRoles.first { $0.name == name } }

    /// Returns roles with those that they include, in the order of their names here, without repetition and without unknown ones.
    package func expanded(_ roots: [KeycloakRoleName]) -> [KeycloakRoleName] {
        var composites: [KeycloakRoleName: [KeycloakRoleName]] = [:]
        for role in keycloakRoles { composites[role.name] = role.composites }
        var seen: Set<KeycloakRoleName> = []
        var result: [KeycloakRoleName] = []
        var open = Array(roots.reversed())
        while let name = open.popLast() {
            guard let included = composites[name], seen.insert(name).inserted else { continue }
            result.append(name)
            open += included.reversed()
        }
        return result
    }

    /// Returns all roles that an account has: those of everyone, its own, and those of its groups and the groups above them.
    /// - Parameter account: `nil` for an account with the roles of everyone.
    package func effectiveRoles(of account: KeycloakAccount?) -> [KeycloakRoleName] {
        let groups = account?.groups ?? []
        let ofGroups =
            groups.isEmpty
            ? []
            : keycloakGroups.filter { place in
                groups.contains { $0 == place.path || $0.hasPrefix(place.path + "/") }
            }.flatMap(\.group.roles)
        return expanded([KeycloakRealm.defaultRole(of: name)] + (account?.roles ?? []) + ofGroups)
    }

    /// Returns whether an account has a role that permits calls of the Admin API.
    package func administers(_ account: KeycloakAccount?) -> Bool {
        effectiveRoles(of: account).contains { role in
            role.client.map { TextKey($0) } == TextKey(KeycloakRealm.managementClient)
                || name == KeycloakRealm.masterName && role == KeycloakRealm.adminRole
        }
    }
}
