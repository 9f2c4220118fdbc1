import Directory
import WireFormats

extension RealmReader {
    /// The scopes that every realm has. Virga issues what they contain.
    private static let builtInScopes = [
        "acr", "address", "basic", "email", "microprofile-jwt", "offline_access", "organization", "phone", "profile", "role_list", "roles",
        "saml_organization", "service_account", "web-origins",
    ]

    /// The claims of mappers that every realm has.
    private static let builtInClaims: Set<String> = [
        "acr", "address", "auth_time", "birthdate", "client_id", "clientAddress", "clientHost", "clientId", "email", "email_verified",
        "family_name", "gender", "given_name", "groups", "locale", "middle_name", "name", "nickname", "phone_number",
        "phone_number_verified", "picture", "preferred_username", "profile", "realm_access.roles", "resource_access.${client_id}.roles",
        "sub", "updated_at", "upn", "website", "zoneinfo",
    ]

    /// The kinds of mappers whose claims all tokens have.
    private static let builtInKinds = [
        "oidc-sub-mapper", "oidc-acr-mapper", "oidc-address-mapper", "oidc-audience-resolve-mapper", "oidc-amr-mapper",
    ]

    /// Reads the client scopes.
    mutating func readScopes(_ realm: JSONObject) {
        for scope in Self.objects(realm["clientScopes"]) {
            guard let name = scope["name"]?.stringValue, !name.isEmpty else { continue }
            scopes[name] = scope
        }
    }

    /// Converts the mappers of a client, and those of the client scopes that it has.
    mutating func mappers(of client: JSONObject, _ owner: String, _ realm: JSONObject) -> [JSONValue] {
        var converted = mappers(client["protocolMappers"], owner, scope: nil, isBuiltIn: false)
        let usual = Self.texts(client["defaultClientScopes"] ?? realm["defaultDefaultClientScopes"])
        let optional = Self.texts(client["optionalClientScopes"] ?? realm["defaultOptionalClientScopes"])
        for (names, isOptional) in [(usual, false), (optional, true)] {
            for name in names {
                guard let scope = scopes[name] else { continue }
                let isBuiltIn = Self.builtInScopes.contains(name)
                // Tokens have the scopes that a request names, and profile and email.
                let needed = isOptional || ["address", "phone", "microprofile-jwt"].contains(name) ? name : nil
                converted += mappers(scope["protocolMappers"], "client scope \(name)", scope: needed, isBuiltIn: isBuiltIn)
                if !isBuiltIn, !isOptional, scope["attributes"]?["include.in.token.scope"]?.stringValue != "false" {
                    lose("\(owner): client scope \(name) is in the claim scope only if a request names it")
                }
            }
        }
        return converted
    }

    /// Registers the client scopes of a client, if there are others than those that every realm has.
    mutating func setScopes(of metadata: inout ClientMetadata, _ client: JSONObject, _ owner: String, _ realm: JSONObject) {
        let usual = Self.texts(client["defaultClientScopes"] ?? realm["defaultDefaultClientScopes"])
        let optional = Self.texts(client["optionalClientScopes"] ?? realm["defaultOptionalClientScopes"])
        let own = (usual + optional).filter { scopes[$0] != nil && !Self.builtInScopes.contains($0) && !$0.contains(" ") }
        guard !own.isEmpty else { return }
        let known = ["profile", "email", "address", "phone", "offline_access"].filter { usual.contains($0) || optional.contains($0) }
        metadata.scope = (["openid"] + known + own).joined(separator: " ")
        guard client["serviceAccountsEnabled"]?.boolValue == true else { return }
        for name in optional where own.contains(name) {
            lose("\(owner): client scope \(name) is optional for people only; its own tokens always have it")
        }
    }

    private mutating func mappers(_ list: JSONValue?, _ owner: String, scope: String?, isBuiltIn: Bool) -> [JSONValue] {
        Self.objects(list).compactMap { mapper in
            let kind = mapper["protocolMapper"]?.stringValue ?? ""
            let name = mapper["name"]?.stringValue ?? ""
            let config = mapper["config"]?.objectValue ?? [:]
            // Mappers of other protocols have no effect.
            guard !Self.builtInKinds.contains(kind), !["saml-", "docker-"].contains(where: { kind.hasPrefix($0) }) else { return nil }
            if isBuiltIn, Self.isBuiltIn(kind, config) { return nil }
            guard let known = KeycloakMapper.Kind(rawValue: kind), !name.isEmpty else {
                report("\(owner): mapper '\(name)' of type \(kind)")
                return nil
            }
            if known == .sessionNote {
                let note = config["user.session.note"]?.stringValue ?? ""
                // These mappers belong to every client with a service account.
                if ["client_id", "clientHost", "clientAddress", "clientId"].contains(note) { return nil }
                guard note == "AUTH_TIME" else {
                    report("\(owner): mapper '\(name)', since sessions have no note '\(note)'")
                    return nil
                }
            }
            var seeded: JSONObject = ["name": .string(name), "type": .string(kind)]
            if let id = mapper["id"]?.stringValue, !id.isEmpty { seeded["id"] = .string(id) }
            if let scope { seeded["scope"] = .string(scope) }
            seeded["config"] = .object(config)
            return .object(seeded)
        }
    }

    /// Returns whether a built-in client scope has a mapper that adds what tokens have anyway.
    private static func isBuiltIn(_ kind: String, _ config: JSONObject) -> Bool {
        if kind == KeycloakMapper.Kind.fullName.rawValue || kind == KeycloakMapper.Kind.allowedOrigins.rawValue { return true }
        guard let claim = config["claim.name"]?.stringValue else { return false }
        return builtInClaims.contains(claim)
    }

    /// Reports a part once, even if several clients have it.
    private mutating func report(_ part: String) {
        if !leftOut.contains(part) { lose(part) }
    }
}
