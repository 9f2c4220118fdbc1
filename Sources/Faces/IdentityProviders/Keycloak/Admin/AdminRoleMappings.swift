import Calls
import Directory
import HTTPTypes
import WireFormats

extension AdminRoute {
    /// The calls that concern the roles of users and groups.
    static let roleMappings: [AdminRoute] = calls("users/{id}", "User") + calls("groups/{id}", "Group")

    private static func calls(_ owner: String, _ kind: String) -> [AdminRoute] {
        let isUser = kind == "User"
        let all = AdminRoute.get("\(owner)/role-mappings", "Get\(kind)RoleMappings", .viewUsers) {
            try $0.mappings(RoleOwner($0, isUser: isUser))
        }
        return [all] + calls("\(owner)/role-mappings/realm", kind, "Realm", isUser: isUser) { _ in nil }
            + calls("\(owner)/role-mappings/clients/{client}", kind, "Client", isUser: isUser) { try $0.clientID(at: 1) }
    }

    /// Returns the calls for the roles of the realm, or of a client.
    /// - Parameter client: returns the client of the call; `nil` for roles of the realm.
    private static func calls(
        _ path: String, _ kind: String, _ scope: String, isUser: Bool, _ client: @escaping @Sendable (AdminCall) throws -> String?
    ) -> [AdminRoute] {
        [
            .get(path, "Get\(kind)\(scope)Roles", .viewUsers) { call in
                try call.list(RoleOwner(call, isUser: isUser).assigned(of: client(call), in: call.current))
            },
            .get("\(path)/available", "GetAvailable\(kind)\(scope)Roles", .viewUsers) { call in
                try call.list(RoleOwner(call, isUser: isUser).available(of: client(call), in: call.current))
            },
            .get("\(path)/composite", "GetEffective\(kind)\(scope)Roles", .viewUsers) { call in
                try call.list(RoleOwner(call, isUser: isUser).effective(of: client(call), in: call.current))
            },
            .post(path, "Add\(kind)\(scope)Roles", .manageUsers) { call in
                try await call.changeRoles(of: RoleOwner(call, isUser: isUser), client: client(call), isAdded: true)
            },
            .delete(path, "Delete\(kind)\(scope)Roles", .manageUsers) { call in
                try await call.changeRoles(of: RoleOwner(call, isUser: isUser), client: client(call), isAdded: false)
            },
        ]
    }
}

/// A user or a group, which has roles.
private struct RoleOwner {
    let id: String
    let isUser: Bool
    /// The roles that were assigned to it. Every user has the role of everyone.
    let roles: [KeycloakRoleName]
    /// These, and the ones that follow from them and from groups.
    let effective: [KeycloakRoleName]

    /// Finds the owner in the path of a call.
    init(_ call: AdminCall, isUser: Bool) throws(AdminError) {
        id = call.parameters[0]
        self.isUser = isUser
        let realm = try call.current
        if isUser {
            let state = try call.account(id).state
            roles = [KeycloakRealm.defaultRole(of: realm.name)] + state.roles
            effective = realm.effectiveRoles(of: state)
        } else {
            roles = try call.group(id).group.roles
            effective = realm.expanded(roles)
        }
    }

    func assigned(of client: String?, in realm: IdentityProvider) -> [KeycloakRole] {
        Self.ofClient(client, roles).compactMap { realm.keycloakRole($0) }
    }

    func effective(of client: String?, in realm: IdentityProvider) -> [KeycloakRole] {
        Self.ofClient(client, effective).compactMap { realm.keycloakRole($0) }
    }

    func available(of client: String?, in realm: IdentityProvider) -> [KeycloakRole] {
        let all = Self.ofClient(client, realm.keycloakRoles.map(\.name))
        return all.filter { !roles.contains($0) }.compactMap { realm.keycloakRole($0) }
    }

    private static func ofClient(_ client: String?, _ roles: [KeycloakRoleName]) -> [KeycloakRoleName] {
        roles.filter { $0.client.map { TextKey($0) } == client.map { TextKey($0) } }
    }
}

extension AdminCall {
    /// Responds with the roles of the realm and of each client.
    fileprivate func mappings(_ owner: RoleOwner) throws -> Response {
        let realm = try current
        var mappings = JSONObject()
        func representations(_ client: String?) -> JSONValue {
            .array(owner.assigned(of: client, in: realm).map { .object($0.representation(in: realm, isBrief: true)) })
        }
        if owner.roles.contains(where: { $0.client == nil }) { mappings["realmMappings"] = representations(nil) }
        var clients = JSONObject()
        for client in owner.roles.compactMap(\.client) where clients[client] == nil {
            let id = realm.client(client).map { realm.keycloakID(of: $0) } ?? realm.keycloakID(ofBuiltIn: client)
            clients[client] = ["id": .string(id), "client": .string(client), "mappings": representations(client)]
        }
        if !clients.isEmpty { mappings["clientMappings"] = .object(clients) }
        return .json(.object(mappings))
    }

    fileprivate func changeRoles(of owner: RoleOwner, client: String?, isAdded: Bool) async throws -> Response {
        let names = try await namedRoles(of: client)
        if isAdded { try checkGift(of: names) }
        func changed(_ roles: [KeycloakRoleName]) -> [KeycloakRoleName] {
            roles.filter { !names.contains($0) } + (isAdded ? names : [])
        }
        try await edit { directory throws(KeycloakRefusal) in
            guard !owner.isUser else {
                try directory.changeAccount(owner.id, inRealm: realm.name) { $0.roles = changed($0.roles) }
                return
            }
            guard var group = try directory.keycloakRealm(realm.name).keycloakGroups.first(where: { $0.group.id == owner.id })?.group else {
                throw .noSuchGroup
            }
            group.roles = changed(group.roles)
            try directory.replaceGroup(group, inRealm: realm.name)
        }
        return Self.done
    }
}
