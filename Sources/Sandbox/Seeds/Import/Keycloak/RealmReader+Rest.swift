import WireFormats

extension RealmReader {
    /// The members of a realm that are converted, or whose content the clients and people have.
    private static let converted: Set<String> = [
        "realm", "id", "accessTokenLifespan", "defaultSignatureAlgorithm", "roles", "groups", "users", "clients", "clientScopes",
        "defaultDefaultClientScopes", "defaultOptionalClientScopes", "defaultRole", "keycloakVersion", "displayName", "displayNameHtml",
        "authenticatorConfig", "enabled", "loginWithEmailAllowed", "registrationAllowed", "revokeRefreshToken",
    ]

    /// Lists of parts that Virga does not have, with the member that names each.
    private static let lists = [
        ("identityProviders", "alias", "identity provider"), ("identityProviderMappers", "name", "mapper of identity providers"),
        ("federatedUsers", "id", "federated user"), ("organizations", "name", "organization"),
        ("userFederationProviders", "displayName", "user federation"),
    ]

    /// Reports what the seed has no place for.
    mutating func reportRest(of realm: JSONObject) {
        if realm["enabled"]?.boolValue == false { lose("enabled false: the realm is enabled here") }
        for (member, name, kind) in Self.lists {
            for element in Self.objects(realm[member]) { lose("\(kind) \(element[name]?.stringValue ?? "?")") }
        }
        for path in Self.texts(realm["defaultGroups"]) { lose("default group \(path), which new people do not get") }
        reportFlows(realm)
        reportComponents(realm)
        for mapping in Self.objects(realm["scopeMappings"]) where mapping["clientScope"]?.stringValue != "offline_access" {
            lose("scopeMappings of \((mapping["client"] ?? mapping["clientScope"])?.stringValue ?? "?")")
        }
        reportAttributes(realm)
        reportPlaceholders(realm)
        let known = Self.converted.union(Self.lists.map(\.0)).union([
            "defaultGroups", "authenticationFlows", "components", "scopeMappings",
        ])
        let others = realm.members.filter { name, value in !known.contains(name) && !Self.isUsual(name, value) }.map(\.name)
        if !others.isEmpty { lose("settings of the realm: \(others.joined(separator: ", "))") }
    }

    private mutating func reportFlows(_ realm: JSONObject) {
        for flow in Self.objects(realm["authenticationFlows"]) where flow["builtIn"]?.boolValue != true {
            // The steps of a built-in flow are flows as well.
            guard flow["topLevel"]?.boolValue == true else { continue }
            lose("authentication flow \(flow["alias"]?.stringValue ?? "?")")
        }
    }

    /// The kinds of components that every realm has.
    private static let usualComponents = [
        "org.keycloak.keys.KeyProvider", "org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy",
        "org.keycloak.userprofile.UserProfileProvider",
    ]

    private mutating func reportComponents(_ realm: JSONObject) {
        for (type, list) in realm["components"]?.objectValue?.members ?? [] {
            let names = Self.objects(list).map { $0["name"]?.stringValue ?? $0["providerId"]?.stringValue ?? "?" }
            if type == "org.keycloak.keys.KeyProvider" {
                lose("the realm's keys; tokens are signed with a key of the sandbox")
            } else if !Self.usualComponents.contains(type), !names.isEmpty {
                let kind = type.split(separator: ".").last.map { String($0) } ?? type
                lose("\(kind): \(names.joined(separator: ", "))")
            }
        }
    }
}
