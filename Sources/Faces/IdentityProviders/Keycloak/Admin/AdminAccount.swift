import Directory
import WireFormats

/// A user in Keycloak's sense: a person, or the service account of a client.
enum AdminAccount {
    case person(Person)
    case service(Client)

    /// What the realm knows of the user.
    var state: KeycloakAccount {
        switch self {
        case .person(let person): person.keycloak ?? KeycloakAccount()
        case .service(let client): client.keycloak?.serviceAccount ?? KeycloakAccount()
        }
    }

    /// The user's identifier in a realm.
    func id(in realm: IdentityProvider) -> String {
        switch self {
        case .person(let person): person.subject
        case .service(let client): realm.serviceAccountID(of: client)
        }
    }

    var userName: String {
        switch self {
        case .person(let person): person.name
        case .service(let client): "service-account-\(client.id.lowercased())"
        }
    }

    /// Returns the value of a claim of a person.
    func claim(_ name: String) -> String? {
        guard case .person(let person) = self else { return nil }
        return person.claims[name]?.stringValue
    }

    /// The UserRepresentation.
    /// - Parameter isBrief: whether attributes are left out.
    func representation(in realm: IdentityProvider, isBrief: Bool = false) -> JSONObject {
        let state = state
        var user: JSONObject = ["id": .string(id(in: realm)), "username": .string(userName)]
        if let name = claim("given_name") { user["firstName"] = .string(name) }
        if let name = claim("family_name") { user["lastName"] = .string(name) }
        if let mail = claim("email") { user["email"] = .string(mail) }
        user["emailVerified"] = .bool(isMailVerified)
        if !isBrief, !state.attributes.isEmpty { user["attributes"] = .object(state.attributes) }
        if let created = state.created { user["createdTimestamp"] = .integer(created.milliseconds) }
        user["enabled"] = .bool(isEnabled)
        user["totp"] = false
        if case .service(let client) = self { user["serviceAccountClientId"] = .string(client.id) }
        user["disableableCredentialTypes"] = []
        user["requiredActions"] = .array(state.requiredActions.map { .string($0) })
        user["notBefore"] = 0
        user["access"] = ["manageGroupMembership": true, "view": true, "mapRoles": true, "impersonate": false, "manage": true]
        return user
    }

    var isEnabled: Bool {
        guard case .person(let person) = self else { return true }
        return person.isEnabled
    }

    var isMailVerified: Bool {
        guard case .person(let person) = self else { return false }
        return person.claims["email_verified"]?.boolValue ?? false
    }
}

extension AdminCall {
    /// Returns the user with an identifier.
    func account(_ id: String) throws(AdminError) -> AdminAccount {
        let realm = try current
        if let person = realm.keycloakPerson(id) { return .person(person) }
        if let client = realm.clients.first(where: { $0.hasServiceAccount && realm.serviceAccountID(of: $0) == id }) {
            return .service(client)
        }
        throw AdminError(.noSuchPerson)
    }

    /// Returns the person with an identifier.
    func person(_ id: String) throws(AdminError) -> Person {
        guard case .person(let person) = try account(id) else { throw AdminError.absent("this call for a service account") }
        return person
    }
}
