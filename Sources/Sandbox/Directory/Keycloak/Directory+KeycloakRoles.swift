import WireFormats

extension Directory {
    /// Adds a role to a realm, or to a client of it.
    package mutating func addRole(_ role: KeycloakRole, toRealm name: String) throws(KeycloakRefusal) {
        var provider = try keycloakRealm(name)
        guard provider.keycloakRole(role.name) == nil else { throw .roleTaken(role.name.name) }
        var realm = provider.keycloak ?? KeycloakRealm()
        realm.roles.append(role)
        provider.keycloak = realm
        put(.provider(provider))
    }

    /// Replaces the role with the same identifier. Those who have it keep it if its name changes.
    package mutating func replaceRole(_ role: KeycloakRole, inRealm name: String) throws(KeycloakRefusal) {
        var provider = try keycloakRealm(name)
        var realm = provider.keycloak ?? KeycloakRealm()
        guard let index = realm.roles.firstIndex(where: { $0.id == role.id }) else {
            guard provider.keycloakRoles.contains(where: { $0.id == role.id }) else { throw .noSuchRole }
            throw .builtIn(role.name.name)
        }
        guard !provider.keycloakRoles.contains(where: { $0.name == role.name && $0.id != role.id }) else {
            throw .roleTaken(role.name.name)
        }
        let old = realm.roles[index].name
        realm.roles[index] = role
        provider.keycloak = realm
        put(.provider(provider))
        if old != role.name { changeRoleNames(inRealm: name) { $0 == old ? role.name : $0 } }
    }

    /// Removes a role, also from those who have it.
    package mutating func removeRole(_ id: String, inRealm name: String) throws(KeycloakRefusal) {
        var provider = try keycloakRealm(name)
        var realm = provider.keycloak ?? KeycloakRealm()
        guard let role = realm.roles.first(where: { $0.id == id }) else {
            guard let builtIn = provider.keycloakRoles.first(where: { $0.id == id }) else { throw .noSuchRole }
            throw .builtIn(builtIn.name.name)
        }
        realm.roles.removeAll { $0.id == id }
        provider.keycloak = realm
        put(.provider(provider))
        changeRoleNames(inRealm: name) { $0 == role.name ? nil : $0 }
    }

    /// Adds a client to a realm.
    package mutating func addClient(_ client: Client, toRealm name: String) throws(KeycloakRefusal) {
        let provider = try keycloakRealm(name)
        guard provider.client(client.id) == nil, !KeycloakRealm.builtInClients.contains(where: { $0.id == client.id }) else {
            throw .clientTaken(client.id)
        }
        put(client, at: name)
    }

    /// Removes a client with its roles.
    package mutating func removeKeycloakClient(_ id: String, ofRealm name: String) throws(KeycloakRefusal) {
        var provider = try keycloakRealm(name)
        guard provider.client(id) != nil else {
            guard KeycloakRealm.builtInClients.contains(where: { $0.id == id }) else { throw .noSuchClient }
            throw .builtIn(id)
        }
        removeClient(id, at: name)
        guard let realm = provider.keycloak, realm.roles.contains(where: { $0.name.client == id }) else { return }
        provider = try keycloakRealm(name)
        provider.keycloak?.roles.removeAll { $0.name.client == id }
        put(.provider(provider))
        changeRoleNames(inRealm: name) { $0.client == id ? nil : $0 }
    }

    /// Changes the names of roles wherever a realm refers to them.
    /// - Parameter change: returns the new name; `nil` to remove the role.
    private mutating func changeRoleNames(inRealm name: String, _ change: (KeycloakRoleName) -> KeycloakRoleName?) {
        guard var provider = providers[name] else { return }
        if var realm = provider.keycloak {
            for index in realm.roles.indices { realm.roles[index].composites = realm.roles[index].composites.compactMap(change) }
            for place in realm.allGroups {
                realm.replaceGroup(place.group.id) { group in
                    var group = group
                    group.roles = group.roles.compactMap(change)
                    return [group]
                }
            }
            provider.keycloak = realm
            put(.provider(provider))
        }
        for var person in provider.people {
            guard var account = person.keycloak else { continue }
            let roles = account.roles.compactMap(change)
            guard roles != account.roles else { continue }
            account.roles = roles
            person.keycloak = account
            put(person, at: name)
        }
        for var client in provider.clients {
            guard var account = client.keycloak?.serviceAccount else { continue }
            let roles = account.roles.compactMap(change)
            guard roles != account.roles else { continue }
            account.roles = roles
            client.keycloak?.serviceAccount = account
            put(client, at: name)
        }
    }
}
