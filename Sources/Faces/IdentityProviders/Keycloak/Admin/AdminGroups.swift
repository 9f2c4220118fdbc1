import Calls
import Cryptography
import Directory
import HTTPTypes
import WireFormats

extension AdminRoute {
    /// The calls that concern groups.
    static let groups: [AdminRoute] = [
        .get("groups", "GetGroups", .viewUsers) { try $0.groups() },
        .post("groups", "CreateGroup", .manageUsers) { try await $0.createGroup(below: nil) },
        .get("groups/count", "CountGroups", .viewUsers) { try $0.countGroups() },
        .get("groups/{id}", "GetGroup", .viewUsers) { .json(.object(try $0.group($0.parameters[0]).representation())) },
        .put("groups/{id}", "UpdateGroup", .manageUsers) { try await $0.updateGroup() },
        .delete("groups/{id}", "DeleteGroup", .manageUsers) { call in
            let id = call.parameters[0]
            try await call.edit { directory throws(KeycloakRefusal) in try directory.removeGroup(id, inRealm: call.realm.name) }
            return AdminCall.done
        },
        .get("groups/{id}/children", "GetGroupChildren", .viewUsers) { try $0.children() },
        .post("groups/{id}/children", "CreateGroupChild", .manageUsers) { try await $0.createGroup(below: $0.parameters[0]) },
        .get("groups/{id}/members", "GetGroupMembers", .viewUsers) { try $0.members() },
        .get("group-by-path/{path...}", "GetGroupByPath", .viewUsers) { call in
            let path = "/\(call.parameters[0])"
            guard let place = try call.current.keycloakGroups.first(where: { $0.path == path }) else {
                throw AdminError.notFound("Group path does not exist")
            }
            return .json(.object(place.representation()))
        },
    ]
}

extension KeycloakGroupPlace {
    /// The GroupRepresentation. Groups below it are only counted, as since Keycloak 23.
    /// - Parameters:
    ///   - isBrief: whether attributes and roles are left out.
    ///   - subgroups: the groups below it that a search has found.
    func representation(isBrief: Bool = false, subgroups: [JSONValue] = []) -> JSONObject {
        var representation: JSONObject = ["id": .string(group.id), "name": .string(group.name), "path": .string(path)]
        if let parentID { representation["parentId"] = .string(parentID) }
        representation["subGroupCount"] = .integer(Int64(group.subgroups.count))
        representation["subGroups"] = .array(subgroups)
        guard !isBrief else { return representation }
        representation["attributes"] = .object(group.attributes)
        representation["realmRoles"] = .array(group.roles.filter { $0.client == nil }.map { .string($0.name) })
        var clients = JSONObject()
        for role in group.roles {
            guard let client = role.client else { continue }
            clients[client] = .array((clients[client]?.arrayValue ?? []) + [.string(role.name)])
        }
        representation["clientRoles"] = .object(clients)
        representation["access"] = ["view": true, "viewMembers": true, "manageMembers": true, "manage": true, "manageMembership": true]
        return representation
    }
}

extension AdminCall {
    /// Returns the group with an identifier.
    func group(_ id: String) throws(AdminError) -> KeycloakGroupPlace {
        guard let place = try current.keycloakGroups.first(where: { $0.group.id == id }) else { throw AdminError(.noSuchGroup) }
        return place
    }

    private func isFound(_ place: KeycloakGroupPlace, _ search: String) -> Bool {
        isOn("exact") ? place.group.name == search : place.group.name.lowercased().contains(search.lowercased())
    }

    fileprivate func groups() throws -> Response {
        if query.value("q") != nil { throw AdminError.absent("the filter q of groups") }
        let isBrief = isOn("briefRepresentation", or: true)
        let places = try current.keycloakGroups
        let top = places.filter { $0.parentID == nil }
        guard let search = query.value("search"), !search.isEmpty else {
            return .json(.array(page(top).map { .object($0.representation(isBrief: isBrief)) }))
        }
        /// Returns the representation of a group that is found, or has a found one below it.
        func found(_ place: KeycloakGroupPlace) -> JSONValue? {
            let below = places.filter { $0.parentID == place.group.id }.compactMap { found($0) }
            guard !below.isEmpty || isFound(place, search) else { return nil }
            return .object(place.representation(isBrief: isBrief, subgroups: below))
        }
        return .json(.array(page(top.compactMap { found($0) })))
    }

    fileprivate func countGroups() throws -> Response {
        let search = query.value("search") ?? ""
        let places = try current.keycloakGroups.filter { place in
            (!isOn("top") || place.parentID == nil) && (search.isEmpty || isFound(place, search))
        }
        return .json(["count": .integer(Int64(places.count))])
    }

    fileprivate func createGroup(below parentID: String?) async throws -> Response {
        let representation = try await object()
        guard let name = representation["name"]?.stringValue, !name.isEmpty else { throw AdminError.invalid("Group name is missing") }
        guard !name.contains("/") else { throw AdminError.absent("slashes in names of groups") }
        if let id = representation["id"]?.stringValue, try current.keycloakGroups.contains(where: { $0.group.id == id }) {
            throw AdminError.absent("moving groups")
        }
        let group = KeycloakGroup(
            id: KeycloakIdentifier.uuid(try randomBytes(16)), name: name, attributes: representation["attributes"]?.objectValue ?? [:])
        try await edit { directory throws(KeycloakRefusal) in
            try directory.addGroup(group, below: parentID, inRealm: realm.name)
        }
        return created(at: realmPath + "/groups", group.id)
    }

    fileprivate func updateGroup() async throws -> Response {
        let id = parameters[0]
        let representation = try await object()
        let name = representation["name"]?.stringValue ?? ""
        guard !name.isEmpty else { throw AdminError.invalid("Group name is missing") }
        guard !name.contains("/") else { throw AdminError.absent("slashes in names of groups") }
        try await edit { directory throws(KeycloakRefusal) in
            guard var group = try directory.keycloakRealm(realm.name).keycloakGroups.first(where: { $0.group.id == id })?.group else {
                throw .noSuchGroup
            }
            group.name = name
            if let attributes = representation["attributes"]?.objectValue { group.attributes = attributes }
            try directory.replaceGroup(group, inRealm: realm.name)
        }
        return Self.done
    }

    fileprivate func children() throws -> Response {
        let parent = try group(parameters[0])
        let isBrief = isOn("briefRepresentation")
        let search = query.value("search") ?? ""
        let places = try current.keycloakGroups.filter { place in
            place.parentID == parent.group.id && (search.isEmpty || isFound(place, search))
        }
        return .json(.array(page(places, usual: search.isEmpty ? .max : 10).map { .object($0.representation(isBrief: isBrief)) }))
    }

    fileprivate func members() throws -> Response {
        let place = try group(parameters[0])
        let realm = try current
        let isBrief = isOn("briefRepresentation")
        let people = realm.people.filter { $0.keycloak?.groups.contains(place.path) == true }.map { AdminAccount.person($0) }
        return .json(.array(page(people, usual: 100).map { .object($0.representation(in: realm, isBrief: isBrief)) }))
    }
}
