import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import Seeds
import WireFormats

extension AdminRoute {
    /// The calls that concern users.
    static let users: [AdminRoute] = [
        .get("users", "GetUsers", .viewUsers) { try await $0.users() },
        .post("users", "CreateUser", .manageUsers) { try await $0.createUser() },
        .get("users/count", "CountUsers", .viewUsers) { .json(.integer(Int64(try $0.found().count))) },
        .get("users/{id}", "GetUser", .viewUsers) { call in
            .json(.object(try call.account(call.parameters[0]).representation(in: call.current)))
        },
        .put("users/{id}", "UpdateUser", .manageUsers) { try await $0.updateUser() },
        .delete("users/{id}", "DeleteUser", .manageUsers) { try await $0.deleteUser() },
        .put("users/{id}/reset-password", "ResetPassword", .manageUsers) { try await $0.resetPassword() },
        .get("users/{id}/credentials", "GetCredentials", .viewUsers) { try $0.credentials() },
        .post("users/{id}/logout", "LogoutUser", .manageUsers) { try await $0.logOut() },
        .post("logout-all", "LogoutAll", .manageUsers) { try await $0.logOutAll() },
        .get("users/{id}/sessions", "GetUserSessions", .viewUsers) { try await $0.sessions() },
        .get("users/{id}/federated-identity", "GetFederatedIdentities", .viewUsers) { call in
            _ = try call.account(call.parameters[0])
            // Realms have no identity providers here.
            return .json([])
        },
        .get("users/{id}/groups", "GetUserGroups", .viewUsers) { try $0.groupsOfUser() },
        .get("users/{id}/groups/count", "CountUserGroups", .viewUsers) { call in
            .json(["count": .integer(Int64(try call.account(call.parameters[0]).state.groups.count))])
        },
        .put("users/{id}/groups/{group}", "JoinGroup", .manageUsers) { try await $0.changeMembership(isMember: true) },
        .delete("users/{id}/groups/{group}", "LeaveGroup", .manageUsers) { try await $0.changeMembership(isMember: false) },
    ]
}

extension AdminCall {
    /// Parameters of the search that are not implemented.
    private static let absentFilters = ["idpAlias", "idpUserId"]

    /// Returns the people that the query selects, in the order of their names.
    fileprivate func found() throws(AdminError) -> [AdminAccount] {
        for name in Self.absentFilters where query.value(name) != nil { throw AdminError.absent("the filter \(name) of users") }
        let isExact = isOn("exact")
        let filters = [("username", "preferred_username"), ("firstName", "given_name"), ("lastName", "family_name"), ("email", "email")]
            .compactMap { parameter, claim in query.value(parameter).map { (parameter, claim, $0.lowercased()) } }
        let attributes = query.value("q").map(Self.attributes) ?? []
        let search = query.value("search")?.lowercased()
        return try current.people.lazy.map { AdminAccount.person($0) }.filter { account in
            let texts = [account.userName] + ["given_name", "family_name", "email"].compactMap { account.claim($0) }
            if let search, !search.split(separator: " ").allSatisfy({ Self.matches(texts, $0) }) { return false }
            for (parameter, claim, wanted) in filters {
                let value = (parameter == "username" ? account.userName : account.claim(claim) ?? "").lowercased()
                guard isExact ? value == wanted : value.contains(wanted) else { return false }
            }
            let state = account.state
            if query.value("enabled") != nil, isOn("enabled") != account.isEnabled { return false }
            if query.value("emailVerified") != nil, isOn("emailVerified") != account.isMailVerified { return false }
            return attributes.allSatisfy { name, value in state.attribute(name).contains(value) }
        }.sorted { $0.userName < $1.userName }
    }

    /// Returns whether one of the texts begins with a term of a search, has it between asterisks, or is the one in quotation marks.
    private static func matches(_ texts: [String], _ term: Substring) -> Bool {
        let texts = texts.map { $0.lowercased() }
        let term = String(term)
        if term.utf8.count > 1, term.hasPrefix("\""), term.hasSuffix("\"") { return texts.contains(String(term.dropFirst().dropLast())) }
        let isInfix = term.hasPrefix("*")
        let text = term.replacing("*", with: "")
        return texts.contains { isInfix ? $0.contains(text) : $0.hasPrefix(text) }
    }

    /// Returns the attributes of a search: `name:value other:value`.
    private static func attributes(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: " ").compactMap { part in
            guard let colon = part.firstIndex(of: ":") else { return nil }
            return (String(part[..<colon]), String(part[part.index(after: colon)...]))
        }
    }

    fileprivate func users() async throws -> Response {
        let isBrief = isOn("briefRepresentation")
        let realm = try current
        return .json(.array(page(try found(), usual: 100).map { .object($0.representation(in: realm, isBrief: isBrief)) }))
    }

    fileprivate func createUser() async throws -> Response {
        var representation = try await object()
        // Keycloak makes the identifier.
        representation["id"] = .string(KeycloakIdentifier.uuid(try randomBytes(16)))
        let realm = try current
        var person: Person
        do throws(KeycloakRepresentation.Fault) {
            person = try KeycloakRepresentation.person(representation, realm: realm)
        } catch { throw AdminError(error) }
        person.keycloak?.created = cloud.clock.now
        let added = person
        try await edit { directory throws(KeycloakRefusal) in try directory.addPerson(added, toRealm: realm.name) }
        return created(added.subject)
    }

    fileprivate func updateUser() async throws -> Response {
        let old = try person(parameters[0])
        let change = try await object()
        if let name = change["username"]?.stringValue, name.lowercased() != old.name.lowercased() {
            throw AdminError.invalid("error-user-attribute-read-only")
        }
        var representation = AdminAccount.person(old).representation(in: realm)
        for (name, value) in change.members where value != .null { representation[name] = value }
        representation["id"] = .string(old.subject)
        representation["groups"] = .array((old.keycloak?.groups ?? []).map { .string($0) })
        let converted: Person
        do throws(KeycloakRepresentation.Fault) {
            converted = try KeycloakRepresentation.person(representation, realm: realm)
        } catch { throw AdminError(error) }
        try await edit { directory throws(KeycloakRefusal) in
            guard var person = try directory.keycloakRealm(realm.name).keycloakPerson(old.subject) else { throw .noSuchPerson }
            for claim in KeycloakRepresentation.claimsOfUsers { person.claims[claim] = converted.claims[claim] ?? person.kept(claim) }
            person.isEnabled = converted.isEnabled
            var account = person.keycloak ?? KeycloakAccount()
            account.attributes = converted.keycloak?.attributes ?? [:]
            account.requiredActions = converted.keycloak?.requiredActions ?? []
            person.keycloak = account
            if change["credentials"] != nil { (person.password, person.passwordHash) = (converted.password, converted.passwordHash) }
            try directory.replacePerson(person, inRealm: realm.name)
        }
        return Self.done
    }

    fileprivate func deleteUser() async throws -> Response {
        let id = parameters[0]
        _ = try person(id)
        try await edit { directory throws(KeycloakRefusal) in
            guard let person = try directory.keycloakRealm(realm.name).keycloakPerson(id) else { throw .noSuchPerson }
            directory.removePerson(person.name, at: realm.name)
        }
        return Self.done
    }

    fileprivate func resetPassword() async throws -> Response {
        let id = parameters[0]
        _ = try person(id)
        let credential = try await object()
        let type = credential["type"]?.stringValue ?? "password"
        guard type == "password" else { throw AdminError.absent("credentials of type \(type)") }
        guard let password = credential["value"]?.stringValue, !password.isEmpty else { throw AdminError.invalid("No password provided") }
        let isTemporary = credential["temporary"]?.boolValue ?? false
        try await edit { directory throws(KeycloakRefusal) in
            guard var person = try directory.keycloakRealm(realm.name).keycloakPerson(id) else { throw .noSuchPerson }
            (person.password, person.passwordHash) = (password, nil)
            var account = person.keycloak ?? KeycloakAccount()
            account.requiredActions.removeAll { $0 == "UPDATE_PASSWORD" }
            if isTemporary { account.requiredActions.append("UPDATE_PASSWORD") }
            person.keycloak = account
            try directory.replacePerson(person, inRealm: realm.name)
        }
        return Self.done
    }

    fileprivate func credentials() throws -> Response {
        guard case .person(let person) = try account(parameters[0]), !person.password.isEmpty || person.passwordHash != nil else {
            return .json([])
        }
        let data: JSONObject = [
            "hashIterations": .integer(Int64(person.passwordHash?.iterations ?? 1)),
            "algorithm": .string(person.passwordHash?.algorithm.rawValue ?? "plain"), "additionalParameters": [:],
        ]
        return .json([
            [
                "id": .string(KeycloakIdentifier.derived(from: "credential", realm.name, person.subject)), "type": "password",
                "createdDate": .integer(person.keycloak?.created?.milliseconds ?? 0),
                "credentialData": .string(JSONValue.object(data).serialized()),
            ]
        ])
    }

    fileprivate func logOut() async throws -> Response {
        guard case .person(let person) = try account(parameters[0]) else { return Self.done }
        try await logOut([person.name])
        return Self.done
    }

    /// Ends the browser sessions of people, and revokes what clients received for them. Clients are not notified.
    private func logOut(_ people: [String]) async throws {
        let meant = Set(people.map { TextKey($0) })
        for session in try await cloud.grants.sessions(at: realm.name) where meant.contains(TextKey(session.person)) {
            guard let id = session.details["sid"]?.stringValue else { continue }
            _ = try await cloud.grants.redeem(session: id, provider: realm.name, person: session.person)
        }
        let clients = realm.clients.map(\.id)
        for person in people { try await cloud.grants.revokeAll(provider: realm.name, clients: clients, person: person) }
    }

    fileprivate func logOutAll() async throws -> Response {
        try await logOut(current.people.map(\.name))
        // The clients that were notified: none.
        return .json([:])
    }

    fileprivate func sessions() async throws -> Response {
        guard case .person(let person) = try account(parameters[0]) else { return .json([]) }
        let sessions = try await cloud.grants.sessions(at: realm.name).filter { $0.person == person.name }
        return .json(.array(sessions.map { .object(representation(of: $0, person)) }))
    }

    private func representation(of session: Grant, _ person: Person) -> JSONObject {
        var clients = JSONObject()
        for id in session.details["participants"]?.arrayValue?.compactMap({ $0["client"]?.stringValue }) ?? [] {
            guard let client = realm.client(id) else { continue }
            clients[realm.keycloakID(of: client)] = .string(id)
        }
        let start = cloud.clock.effective(session.issued).milliseconds
        return [
            "id": session.details["sid"] ?? "", "username": .string(person.name), "userId": .string(person.subject), "ipAddress": "",
            "start": .integer(start), "lastAccess": .integer(start), "rememberMe": false, "clients": .object(clients),
            "transientUser": false,
        ]
    }

    fileprivate func groupsOfUser() throws -> Response {
        let paths = try account(parameters[0]).state.groups
        let realm = try current
        let isBrief = isOn("briefRepresentation", or: true)
        let search = query.value("search")?.lowercased()
        let groups = realm.keycloakGroups.filter { place in
            paths.contains(place.path) && search.map { place.group.name.lowercased().contains($0) } ?? true
        }
        return .json(.array(page(groups).map { .object($0.representation(isBrief: isBrief)) }))
    }

    fileprivate func changeMembership(isMember: Bool) async throws -> Response {
        let (id, group) = (parameters[0], parameters[1])
        if isMember, let place = try current.keycloakGroups.first(where: { $0.group.id == group }) {
            var account = KeycloakAccount()
            account.groups = [place.path]
            try checkGift(of: current.effectiveRoles(of: account))
        }
        try await edit { directory throws(KeycloakRefusal) in
            guard let place = try directory.keycloakRealm(realm.name).keycloakGroups.first(where: { $0.group.id == group }) else {
                throw .noSuchGroup
            }
            try directory.changeAccount(id, inRealm: realm.name) { account in
                account.groups.removeAll { $0 == place.path }
                if isMember { account.groups.append(place.path) }
            }
        }
        return Self.done
    }
}

extension Person {
    /// Returns a claim that follows neither from a member nor from an attribute of the user, but was declared in a seed.
    fileprivate func kept(_ claim: String) -> JSONValue? {
        ["preferred_username", "name", "given_name", "family_name", "email", "email_verified"].contains(claim)
            || keycloak?.attributes.isEmpty == false ? nil : claims[claim]
    }
}
