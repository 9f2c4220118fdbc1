import WireFormats

extension Directory {
    /// Returns the OpenID Connect issuer with a name.
    package func keycloakRealm(_ name: String) throws(KeycloakRefusal) -> IdentityProvider {
        guard let provider = providers[name], !provider.kind.isSocial else { throw .noSuchRealm }
        return provider
    }

    /// Adds a person to a realm.
    package mutating func addPerson(_ person: Person, toRealm realm: String) throws(KeycloakRefusal) {
        let provider = try keycloakRealm(realm)
        guard provider.person(named: person.name) == nil else { throw .userNameTaken }
        try checkMail(of: person, in: provider)
        put(person, at: realm)
    }

    /// Replaces the person with the same name.
    package mutating func replacePerson(_ person: Person, inRealm realm: String) throws(KeycloakRefusal) {
        let provider = try keycloakRealm(realm)
        guard provider.person(named: person.name) != nil else { throw .noSuchPerson }
        try checkMail(of: person, in: provider)
        put(person, at: realm)
    }

    /// Checks that no other person has the mail address, which Keycloak compares without regard to case.
    private func checkMail(of person: Person, in provider: IdentityProvider) throws(KeycloakRefusal) {
        guard let mail = person.claims["email"]?.stringValue, !mail.isEmpty else { return }
        guard let other = provider.people.first(.foldedMail(TextKey(mail.lowercased()))), other.name != person.name else { return }
        throw .mailTaken
    }

    /// Changes the account of a person or, if no person has the identifier, of the client that acts in its name.
    /// - Parameters:
    ///   - id: the identifier of the person or of the service account.
    ///   - change: changes the account; an account without content is none.
    package mutating func changeAccount(
        _ id: String, inRealm realm: String, _ change: (inout KeycloakAccount) -> Void
    ) throws(KeycloakRefusal) {
        let provider = try keycloakRealm(realm)
        if var person = provider.keycloakPerson(id) {
            var account = person.keycloak ?? KeycloakAccount()
            change(&account)
            person.keycloak = account
            put(person, at: realm)
            return
        }
        guard var client = provider.clients.first(where: { provider.serviceAccountID(of: $0) == id && $0.hasServiceAccount }) else {
            throw .noSuchPerson
        }
        var settings = client.keycloak ?? KeycloakClient()
        var account = settings.serviceAccount ?? KeycloakAccount()
        change(&account)
        settings.serviceAccount = account
        client.keycloak = settings
        put(client, at: realm)
    }
}

extension IdentityProvider {
    /// Returns the person with an identifier, which is the person's subject.
    package func keycloakPerson(_ id: String) -> Person? { people.first(.subject(TextKey(id))) }

    /// Returns the identifier of the service account of a client, which is the subject of the client's own tokens.
    package func serviceAccountID(of client: Client) -> String {
        KeycloakIdentifier.derived(from: "service account", name, client.id)
    }

    /// Returns the identifier of a client in paths of the Admin API.
    package func keycloakID(of client: Client) -> String {
        client.keycloak?.settings["id"]?.stringValue ?? keycloakID(ofBuiltIn: client.id)
    }

    /// Returns the identifier of a client that every realm has.
    package func keycloakID(ofBuiltIn client: String) -> String { KeycloakIdentifier.derived(from: "client", name, client) }
}

extension Client {
    /// Whether the client may act for itself.
    package var hasServiceAccount: Bool { !isPublic && mayUse(.clientCredentials) }
}
