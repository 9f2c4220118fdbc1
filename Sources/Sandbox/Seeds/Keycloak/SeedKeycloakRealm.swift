import Directory
import WireFormats

extension KeycloakRealm {
    /// The roles and groups of a Keycloak realm in seeds.
    static let record = SeedRecord<KeycloakRealm>(
        "Roles and groups of a Keycloak realm", blank: KeycloakRealm(),
        fields: [
            .defaulted("roles", \.roleList, Codec.list(KeycloakRole.record), "Roles of the realm and of its clients."),
            .defaulted("groups", \.groupList, Codec.list(KeycloakGroupPlace.record), "Groups, each after the group above it."),
        ]
    ) { realm, members in
        // The list of groups has put what has no place at the top without a name.
        guard realm.groups.allSatisfy({ !$0.name.isEmpty }) else {
            throw members.fault("groups", expecting: "each path once, and after the path of the group above it")
        }
        var names: Set<KeycloakRoleName> = []
        guard realm.roles.allSatisfy({ names.insert($0.name).inserted }) else {
            throw members.fault("roles", expecting: "each role once")
        }
    }

    private var roleList: [KeycloakRole] {
        get { roles }
        set {
            roles = newValue.map { role in
                var role = role
                if role.id.isEmpty { role.id = KeycloakRole.identifier(of: role.name) }
                return role
            }
        }
    }

    private var groupList: [KeycloakGroupPlace] {
        get { allGroups }
        set {
            groups = []
            for place in newValue {
                var group = place.group
                let (above, name) = place.pathParts
                group.name = name
                if group.id.isEmpty { group.id = KeycloakIdentifier.derived(from: "group", place.path) }
                let known = allGroups
                let parent = known.first { $0.path == above }
                if known.contains(where: { $0.path == place.path }) || parent == nil && !above.isEmpty { group.name = "" }
                add(group, below: group.name.isEmpty ? nil : parent?.group.id)
            }
        }
    }
}

extension KeycloakGroupPlace {
    /// Groups of a Keycloak realm in seeds.
    fileprivate static let record = SeedRecord<KeycloakGroupPlace>(
        "Group of a Keycloak realm", blank: KeycloakGroupPlace(group: KeycloakGroup(id: "", name: ""), path: ""),
        fields: [
            .required("path", \.path, pathCodec, "The names of the groups above it and its own, such as /staff/admins."),
            .defaulted("id", \.group.id, Codec.nonempty("an identifier"), "The identifier; it follows from the path."),
            .defaulted("attributes", \.group.attributes, Codec.object, "Attributes: name to a list of strings."),
            .defaulted("realmRoles", \.group.roles.ofRealm, Codec.texts, "Roles of the realm that members have."),
            .defaulted("clientRoles", \.group.roles.ofClients, Codec.clientRoles, "Roles of clients: client ID to names."),
        ])

    /// The path of the group above, empty for a top-level group, and the last part of the path.
    fileprivate var pathParts: (above: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    private static let pathCodec = Codec.form(.pattern("^(/[^/]+)+$"), expecting: "a path such as /staff/admins") { path in
        path.hasPrefix("/") && path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }
}

extension KeycloakRole {
    /// Roles of a Keycloak realm in seeds.
    fileprivate static let record = SeedRecord<KeycloakRole>(
        "Role of a Keycloak realm", blank: KeycloakRole(id: "", name: KeycloakRoleName("")),
        fields: [
            .required("name", \.name.name, Codec.nonempty("a role name"), "The name."),
            .optional("client", \.name.client, Codec.nonempty("a client id"), "The client of the role; the realm without it."),
            .defaulted("id", \.id, Codec.nonempty("an identifier"), "The identifier; it follows from the name."),
            .optional("description", \.description, Codec.text, "A description."),
            .defaulted("realmRoles", \.composites.ofRealm, Codec.texts, "Roles of the realm that the role includes."),
            .defaulted("clientRoles", \.composites.ofClients, Codec.clientRoles, "Roles of clients that the role includes."),
            .defaulted("attributes", \.attributes, Codec.object, "Attributes: name to a list of strings."),
        ])
}

extension [KeycloakRoleName] {
    /// The names of the roles of the realm.
    var ofRealm: [String] {
        get { filter { $0.client == nil }.map(\.name) }
        set { self = newValue.map { KeycloakRoleName($0) } + filter { $0.client != nil } }
    }

    /// The names of the roles of clients, a list for each client.
    var ofClients: JSONObject {
        get {
            var clients = JSONObject()
            for role in self {
                guard let client = role.client else { continue }
                clients[client] = .array((clients[client]?.arrayValue ?? []) + [.string(role.name)])
            }
            return clients
        }
        set {
            let names = newValue.members.flatMap { client, names in
                (names.arrayValue ?? []).compactMap(\.stringValue).map { KeycloakRoleName(client: client, $0) }
            }
            self = filter { $0.client == nil } + names
        }
    }
}

extension Codec {
    /// The names of roles of clients, a list for each client.
    static let clientRoles = FieldCodec<JSONObject>(
        shape: .map(.list(.text)), expected: nil,
        read: { members, key in
            guard let value: JSONObject = try members.decode(ifThere: key) else { return nil }
            let isValid = value.members.allSatisfy { _, names in names.arrayValue?.allSatisfy { $0.stringValue != nil } ?? false }
            if !isValid { try members.refuse(key, expecting: "an object of client IDs and lists of role names") }
            return value
        },
        write: { JSONValue.object($0) })
}

extension IdentityProvider {
    /// Checks that the roles and groups to which people, groups and roles refer exist.
    func checkRealm(_ members: SeedMembers) throws {
        // Made only for what refers to them: an issuer has dozens of roles even if it is no realm.
        lazy var groups = Set(keycloakGroups.map { TextKey($0.path) })
        lazy var roles = Set(keycloakRoles.map(\.name))
        func checkRoles(_ names: [KeycloakRoleName], _ key: String) throws {
            guard let name = names.first(where: { !roles.contains($0) }) else { return }
            let owner = name.client.map { "the client \($0)" } ?? "the realm"
            throw members.fault(key, expecting: "roles of keycloak.roles; \(owner) has no role '\(name.name)'")
        }
        func checkAccount(_ account: KeycloakAccount, _ key: String) throws {
            try checkRoles(account.roles, key)
            guard let path = account.groups.first(where: { !groups.contains(TextKey($0)) }) else { return }
            throw members.fault(key, expecting: "groups of keycloak.groups; there is no group '\(path)'")
        }
        for account in people.lazy.compactMap(\.keycloak) { try checkAccount(account, "people") }
        for account in clients.lazy.compactMap(\.keycloak?.serviceAccount) { try checkAccount(account, "clients") }
        for place in keycloakGroups { try checkRoles(place.group.roles, "keycloak") }
        for role in keycloak?.roles ?? [] { try checkRoles(role.composites, "keycloak") }
    }
}
