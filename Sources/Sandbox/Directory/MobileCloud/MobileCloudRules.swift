import WireFormats

/// An error in a part of the mobile cloud: a name that does not exist or is used twice.
package struct MobileCloudFault: Error, Hashable, Sendable {
    /// The path of the member within the part, such as `users[2].roles[0]`.
    package var place: String
    /// A description of the expected value, for error messages.
    package var expected: String

    package init(place: String, expected: String) {
        self.place = place
        self.expected = expected
    }
}

/// Checks the references between parts of the mobile cloud and to the rest of the directory.
package struct MobileCloudRules {
    private let roles: Set<String>
    /// The ``Realm/key`` of each realm.
    private let realms: Set<String>
    private let buckets: Set<String>
    private let providers: Set<String>
    private let samlProviders: Set<String>
    /// Names of custom APIs, with and without their versions.
    private let apis: Set<String>

    package init(
        environment: MobileEnvironment, realms: some Sequence<String>, apis: some Sequence<CustomAPI>, buckets: Set<String>,
        providers: [IdentityProvider]
    ) {
        self.apis = Set(apis.flatMap { [$0.key, $0.name] })
        roles = Set(environment.roles)
        self.realms = Set(realms)
        self.buckets = buckets
        self.providers = Set(providers.map(\.name))
        samlProviders = Set(providers.filter { $0.saml != nil }.map(\.name))
    }

    /// Returns the errors of a backend; empty if there are none.
    package func faults(of backend: MobileBackend) -> [MobileCloudFault] {
        var faults = realms.contains(backend.realm) ? [] : [fault("realm", "a realm such as Default(1.0), not '\(backend.realm)'")]
        guard case .listed(let names) = backend.apis else { return faults }
        for (index, name) in names.enumerated() where !apis.contains(name) {
            faults.append(fault("apis[\(index)]", "a custom API such as orders or orders(1.0), not '\(name)'"))
        }
        return faults
    }

    /// Returns the errors of a realm; empty if there are none.
    package func faults(of realm: Realm) -> [MobileCloudFault] {
        var faults = repeated(realm.users.map(\.username), "users", "username", "a user name of the realm")
        faults += repeated(realm.users.map(\.id), "users", "id", "an id of the realm")
        faults += repeated(realm.users.map { $0.email?.lowercased() }, "users", "email", "an address of the realm")
        for (index, user) in realm.users.enumerated() { faults += unknownRoles(user.roles, "users[\(index)].roles") }
        if case .saml(let saml) = realm.signOn, let name = saml.identityProvider, !samlProviders.contains(name) {
            faults.append(fault("signOn.saml.identityProvider", "an identity provider that has saml, not '\(name)'"))
        }
        return faults
    }

    /// Returns the errors of a custom API; empty if there are none.
    package func faults(of api: CustomAPI) -> [MobileCloudFault] {
        var faults: [MobileCloudFault] = []
        if case .enterprise(let roles) = api.access { faults += unknownRoles(roles, "roles") }
        for (index, endpoint) in api.endpoints.enumerated() { faults += unknownRoles(endpoint.roles, "endpoints[\(index)].roles") }
        return faults
    }

    /// Returns the errors of an environment; empty if there are none.
    package func faults(of environment: MobileEnvironment) -> [MobileCloudFault] {
        var faults = repeated(environment.certificates.map(\.alias), "certificates", "alias", "an alias")
        for (index, certificate) in environment.certificates.enumerated() {
            guard case .identityProvider(let name) = certificate.source, !providers.contains(name) else { continue }
            faults.append(fault("certificates[\(index)].identityProvider", "an identity provider, not '\(name)'"))
        }
        faults += repeated(environment.samlIssuers.map(\.name), "samlIssuers", "name", "an issuer's name")
        for (index, issuer) in environment.samlIssuers.enumerated() {
            let place = "samlIssuers[\(index)]"
            faults += unknownRoles(issuer.defaultRoles, "\(place).defaultRoles")
            for (index, mapping) in issuer.roleMappings.enumerated() {
                faults += unknownRoles(mapping.mappedRoles, "\(place).roleMappings[\(index)].mappedRoles")
            }
        }
        faults += repeated(environment.collections.map(\.id), "collections", "id", "a collection's name")
        for (index, collection) in environment.collections.enumerated() {
            let place = "collections[\(index)]"
            if !buckets.contains(collection.bucket) { faults.append(fault("\(place).bucket", "a bucket, not '\(collection.bucket)'")) }
            for (permission, roles) in collection.permissions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                faults += unknownRoles(roles, "\(place).permissions.\(permission.rawValue)")
            }
        }
        faults += repeated(environment.teamMembers.map(\.name), "teamMembers", "name", "a member's name")
        for (kind, entries) in [
            ("devices", environment.locations.devices), ("places", environment.locations.places), ("assets", environment.locations.assets),
        ] {
            faults += repeated(entries.map { $0["id"]?.serialized() }, "locations.\(kind)", "id", "an id")
        }
        return faults
    }

    private func unknownRoles(_ names: [String], _ place: String) -> [MobileCloudFault] {
        names.enumerated().filter { !roles.contains($0.element) }.map { index, name in
            fault("\(place)[\(index)]", "one of the mobile cloud's roles, not '\(name)'")
        }
    }

    private func repeated(_ names: [String?], _ list: String, _ member: String, _ kind: String) -> [MobileCloudFault] {
        var known: Set<String> = []
        return names.enumerated().compactMap { index, name in
            guard let name, !known.insert(name).inserted else { return nil }
            return fault("\(list)[\(index)].\(member)", "\(kind) that is given only once, not '\(name)' again")
        }
    }

    private func fault(_ place: String, _ expected: String) -> MobileCloudFault { MobileCloudFault(place: place, expected: expected) }
}

extension MobileBackend {
    /// The identifiers that requests name the backend by. No two backends can share one.
    package var identifiers: [(member: String, value: String)] {
        [("id", id.lowercased()), ("clientID", clientID)]
    }
}
