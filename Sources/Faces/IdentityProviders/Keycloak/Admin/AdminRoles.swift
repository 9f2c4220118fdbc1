import Calls
import Cryptography
import Directory
import HTTPTypes
import WireFormats

extension AdminRoute {
    /// The calls that concern roles of the realm and of clients.
    static let roles: [AdminRoute] = rolesOfRealm + rolesOfClients + rolesByID

    private static let rolesOfRealm = calls("roles", "Realm", view: .viewRealm, manage: .manageRealm) { _ in nil }
    private static let rolesOfClients = calls("clients/{client}/roles", "Client", view: .viewClients, manage: .manageClients) {
        try $0.clientID()
    }

    private static let rolesByID: [AdminRoute] = [
        .get("roles-by-id/{id}", "GetRoleByID", .viewRealm) { call in
            .json(.object(try call.role(id: call.parameters[0]).representation(in: call.realm)))
        },
        .put("roles-by-id/{id}", "UpdateRoleByID", .manageRealm) { try await $0.update($0.role(id: $0.parameters[0])) },
        .delete("roles-by-id/{id}", "DeleteRoleByID", .manageRealm) { try await $0.delete($0.role(id: $0.parameters[0])) },
        .get("roles-by-id/{id}/composites", "GetRoleCompositesByID", .viewRealm) { call in
            try call.composites(of: call.role(id: call.parameters[0])) { _ in true }
        },
        .post("roles-by-id/{id}/composites", "AddRoleCompositesByID", .manageRealm) { call in
            try await call.changeComposites(of: call.role(id: call.parameters[0]), isAdded: true)
        },
        .delete("roles-by-id/{id}/composites", "DeleteRoleCompositesByID", .manageRealm) { call in
            try await call.changeComposites(of: call.role(id: call.parameters[0]), isAdded: false)
        },
        .get("roles-by-id/{id}/composites/realm", "GetRoleRealmCompositesByID", .viewRealm) { call in
            try call.composites(of: call.role(id: call.parameters[0])) { $0.client == nil }
        },
        .get("roles-by-id/{id}/composites/clients/{client}", "GetRoleClientCompositesByID", .viewRealm) { call in
            try call.composites(of: call.role(id: call.parameters[0]), ofClientAt: 1)
        },
    ]

    /// Returns the calls for the roles of the realm, or of a client.
    /// - Parameter client: returns the client of the call; `nil` for roles of the realm.
    private static func calls(
        _ path: String, _ kind: String, view: AdminPermission, manage: AdminPermission,
        _ client: @escaping @Sendable (AdminCall) throws -> String?
    ) -> [AdminRoute] {
        let one = path + "/{name}"
        /// The position of the role's name among the parameters.
        let place = path.split(separator: "/").filter { $0.hasPrefix("{") }.count
        /// Returns the role of the path.
        let role: @Sendable (AdminCall) throws -> KeycloakRole = { call in
            try call.role(KeycloakRoleName(client: client(call), call.parameters[place]))
        }
        return [
            .get(path, "Get\(kind)Roles", view) { try $0.roles(of: client($0)) },
            .post(path, "Create\(kind)Role", manage) { try await $0.createRole(of: client($0)) },
            .get(one, "Get\(kind)Role", view) { .json(.object(try role($0).representation(in: $0.realm))) },
            .put(one, "Update\(kind)Role", manage) { try await $0.update(role($0)) },
            .delete(one, "Delete\(kind)Role", manage) { try await $0.delete(role($0)) },
            .get(one + "/composites", "Get\(kind)RoleComposites", view) { try $0.composites(of: role($0)) { _ in true } },
            .get(one + "/composites/realm", "Get\(kind)RoleRealmComposites", view) {
                try $0.composites(of: role($0)) { $0.client == nil }
            },
            .get(one + "/composites/clients/{client}", "Get\(kind)RoleClientComposites", view) {
                try $0.composites(of: role($0), ofClientAt: place + 1)
            },
            .post(one + "/composites", "Add\(kind)RoleComposites", manage) {
                try await $0.changeComposites(of: role($0), isAdded: true)
            },
            .delete(one + "/composites", "Delete\(kind)RoleComposites", manage) {
                try await $0.changeComposites(of: role($0), isAdded: false)
            },
            .get(one + "/users", "Get\(kind)RoleUsers", view) { try $0.members(of: role($0)) },
            .get(one + "/groups", "Get\(kind)RoleGroups", view) { try $0.groups(with: role($0)) },
        ]
    }
}

extension KeycloakRole {
    /// The RoleRepresentation.
    func representation(in realm: IdentityProvider, isBrief: Bool = false) -> JSONObject {
        let container =
            name.client.map { id in realm.client(id).map { realm.keycloakID(of: $0) } ?? realm.keycloakID(ofBuiltIn: id) }
            ?? realm.keycloakRealmID
        var role: JSONObject = ["id": .string(id), "name": .string(name.name)]
        if let description { role["description"] = .string(description) }
        role["composite"] = .bool(!composites.isEmpty)
        role["clientRole"] = .bool(name.client != nil)
        role["containerId"] = .string(container)
        if !isBrief { role["attributes"] = .object(attributes) }
        return role
    }
}

extension IdentityProvider {
    /// The identifier of the realm.
    var keycloakRealmID: String { KeycloakIdentifier.derived(from: "realm", name) }
}

extension AdminCall {
    /// Returns the role with a name.
    func role(_ name: KeycloakRoleName) throws(AdminError) -> KeycloakRole {
        guard let role = try current.keycloakRole(name) else { throw AdminError(.noSuchRole) }
        return role
    }

    /// Returns the role with an identifier.
    func role(id: String) throws(AdminError) -> KeycloakRole {
        guard let role = try current.keycloakRoles.first(where: { $0.id == id }) else {
            throw AdminError.notFound("Could not find role with id")
        }
        return role
    }

    /// Returns the roles that a body names, each by its identifier or its name.
    /// - Parameter client: the client of roles that are given by name; `nil` for roles of the realm.
    func namedRoles(of client: String?) async throws -> [KeycloakRoleName] {
        let body = try await body()
        guard let elements = body.arrayValue else { throw AdminError(status: .badRequest, message: "Cannot parse the JSON") }
        let roles = try current.keycloakRoles
        return try elements.map { element throws(AdminError) in
            let id = element["id"]?.stringValue
            let name = element["name"]?.stringValue.map { KeycloakRoleName(client: client, $0) }
            guard let role = roles.first(where: { role in id.map { role.id == $0 } ?? name.map { role.name == $0 } ?? false }) else {
                throw AdminError.notFound("Role not found")
            }
            return role.name
        }
    }

    /// Returns roles as representations without attributes.
    func list(_ roles: [KeycloakRole]) -> Response {
        .json(.array(roles.map { .object($0.representation(in: realm, isBrief: true)) }))
    }

    fileprivate func roles(of client: String?) throws -> Response {
        let search = query.value("search")?.lowercased()
        let isBrief = isOn("briefRepresentation", or: true)
        let roles = try current.keycloakRoles.filter { role in
            role.name.client.map { TextKey($0) } == client.map { TextKey($0) }
                && search.map { role.name.name.lowercased().contains($0) } ?? true
        }
        return .json(.array(page(roles).map { .object($0.representation(in: realm, isBrief: isBrief)) }))
    }

    fileprivate func createRole(of client: String?) async throws -> Response {
        let representation = try await object()
        guard let name = representation["name"]?.stringValue, !name.isEmpty else { throw AdminError.invalid("role has no name") }
        let composites = try composites(in: representation)
        let role = KeycloakRole(
            id: KeycloakIdentifier.uuid(try randomBytes(16)), name: KeycloakRoleName(client: client, name),
            description: representation["description"]?.stringValue, composites: composites,
            attributes: representation["attributes"]?.objectValue ?? [:])
        try await edit { directory throws(KeycloakRefusal) in try directory.addRole(role, toRealm: realm.name) }
        return created(name)
    }

    /// Returns the roles that a representation includes, by their names.
    private func composites(in representation: JSONObject) throws(AdminError) -> [KeycloakRoleName] {
        guard let composites = representation["composites"]?.objectValue else { return [] }
        var names = composites["realm"]?.arrayValue?.compactMap(\.stringValue).map { KeycloakRoleName($0) } ?? []
        for (client, list) in composites["client"]?.objectValue?.members ?? [] {
            names += list.arrayValue?.compactMap(\.stringValue).map { KeycloakRoleName(client: client, $0) } ?? []
        }
        let realm = try current
        guard names.allSatisfy({ realm.keycloakRole($0) != nil }) else { throw AdminError(.noSuchRole) }
        try checkGift(of: names)
        return names
    }

    fileprivate func update(_ role: KeycloakRole) async throws -> Response {
        let representation = try await object()
        var changed = role
        if let name = representation["name"]?.stringValue, !name.isEmpty { changed.name.name = name }
        if let description = representation["description"]?.stringValue { changed.description = description }
        if let attributes = representation["attributes"]?.objectValue { changed.attributes = attributes }
        if representation["composites"] != nil { changed.composites = try composites(in: representation) }
        let new = changed
        try await edit { directory throws(KeycloakRefusal) in try directory.replaceRole(new, inRealm: realm.name) }
        return Self.done
    }

    fileprivate func delete(_ role: KeycloakRole) async throws -> Response {
        try await edit { directory throws(KeycloakRefusal) in try directory.removeRole(role.id, inRealm: realm.name) }
        return Self.done
    }

    fileprivate func composites(of role: KeycloakRole, where isListed: (KeycloakRoleName) -> Bool) throws -> Response {
        let realm = try current
        return list(role.composites.filter(isListed).compactMap { realm.keycloakRole($0) })
    }

    /// Responds with the roles of a client that a role includes.
    /// - Parameter index: the position of the client's identifier among the parameters.
    fileprivate func composites(of role: KeycloakRole, ofClientAt index: Int) throws -> Response {
        let client = TextKey(try clientID(at: index))
        return try composites(of: role) { $0.client.map { TextKey($0) } == client }
    }

    fileprivate func changeComposites(of role: KeycloakRole, isAdded: Bool) async throws -> Response {
        let names = try await namedRoles(of: nil)
        if isAdded { try checkGift(of: names) }
        try await edit { directory throws(KeycloakRefusal) in
            guard var changed = try directory.keycloakRealm(realm.name).keycloakRoles.first(where: { $0.id == role.id }) else {
                throw .noSuchRole
            }
            changed.composites.removeAll { names.contains($0) }
            if isAdded { changed.composites += names }
            try directory.replaceRole(changed, inRealm: realm.name)
        }
        return Self.done
    }

    /// Responds with the users to whom a role was assigned itself.
    fileprivate func members(of role: KeycloakRole) throws -> Response {
        let realm = try current
        let people = realm.people.filter { $0.keycloak?.roles.contains(role.name) == true }.map { AdminAccount.person($0) }
        return .json(.array(page(people, usual: 100).map { .object($0.representation(in: realm)) }))
    }

    fileprivate func groups(with role: KeycloakRole) throws -> Response {
        let places = try current.keycloakGroups.filter { $0.group.roles.contains(role.name) }
        return .json(.array(page(places).map { .object($0.representation(isBrief: true)) }))
    }
}
