import WireFormats

extension Directory {
    /// Adds a group.
    /// - Parameter parentID: the identifier of the group above it; `nil` for a top-level group.
    package mutating func addGroup(
        _ group: KeycloakGroup, below parentID: String?, inRealm name: String
    ) throws(KeycloakRefusal) {
        var provider = try keycloakRealm(name)
        var realm = provider.keycloak ?? KeycloakRealm()
        var siblings = realm.groups
        if let parentID {
            guard let parent = realm.allGroups.first(where: { $0.group.id == parentID }) else { throw .noSuchGroup }
            siblings = parent.group.subgroups
        }
        guard !siblings.contains(where: { $0.name == group.name }) else { throw .groupTaken(group.name, isTopLevel: parentID == nil) }
        realm.add(group, below: parentID)
        provider.keycloak = realm
        put(.provider(provider))
    }

    /// Replaces the group with the same identifier. Its members remain members if its name changes.
    package mutating func replaceGroup(_ group: KeycloakGroup, inRealm name: String) throws(KeycloakRefusal) {
        var provider = try keycloakRealm(name)
        var realm = provider.keycloak ?? KeycloakRealm()
        guard let old = realm.allGroups.first(where: { $0.group.id == group.id }) else { throw .noSuchGroup }
        let siblings = old.parentID.map { id in realm.allGroups.first { $0.group.id == id }?.group.subgroups ?? [] } ?? realm.groups
        guard !siblings.contains(where: { $0.name == group.name && $0.id != group.id }) else {
            throw .groupTaken(group.name, isTopLevel: old.parentID == nil)
        }
        realm.replaceGroup(group.id) { _ in [group] }
        provider.keycloak = realm
        put(.provider(provider))
        let path = realm.allGroups.first { $0.group.id == group.id }?.path ?? old.path
        guard path != old.path else { return }
        changeMemberships(inRealm: name) { member in
            member == old.path || member.hasPrefix(old.path + "/") ? "\(path)\(member.dropFirst(old.path.count))" : member
        }
    }

    /// Removes a group with those below it, and all memberships.
    package mutating func removeGroup(_ id: String, inRealm name: String) throws(KeycloakRefusal) {
        var provider = try keycloakRealm(name)
        var realm = provider.keycloak ?? KeycloakRealm()
        guard let old = realm.allGroups.first(where: { $0.group.id == id }) else { throw .noSuchGroup }
        realm.replaceGroup(id) { _ in [] }
        provider.keycloak = realm
        put(.provider(provider))
        changeMemberships(inRealm: name) { member in member == old.path || member.hasPrefix(old.path + "/") ? nil : member }
    }

    /// Changes the paths of the groups of all people.
    /// - Parameter change: returns the new path; `nil` to end the membership.
    private mutating func changeMemberships(inRealm realm: String, _ change: (String) -> String?) {
        for var person in providers[realm]?.people ?? [] {
            guard var account = person.keycloak else { continue }
            let groups = account.groups.compactMap(change)
            guard groups != account.groups else { continue }
            account.groups = groups
            person.keycloak = account
            put(person, at: realm)
        }
    }
}
