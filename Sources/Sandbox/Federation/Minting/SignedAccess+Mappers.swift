import Directory
package import WireFormats

extension SignedAccess {
    /// The documents to which mappers add claims.
    package enum MappedDocument: Sendable {
        case accessToken, idToken, userInfo
    }

    /// Adds the claims of the client's mappers. (Keycloak, "Server Administration Guide", "OIDC token and SAML assertion mappings".)
    package func addMappedClaims(to claims: inout JSONObject, of document: MappedDocument) {
        for mapper in applicableMappers where mapper.adds(to: document) {
            switch mapper.kind {
            case .audience:
                // The audience of ID tokens is the client.
                guard document == .accessToken else { continue }
                for name in ["included.client.audience", "included.custom.audience"] {
                    if let audience = mapper.setting(name) { Self.add(audience: audience, to: &claims) }
                }
            case .allowedOrigins:
                let origins = client.resolved(origins: client.keycloak?.webOrigins ?? [])
                if !origins.isEmpty { claims["allowed-origins"] = .array(origins.map { .string($0) }) }
            case .fullName:
                let names = ["firstName", "lastName"].compactMap { property($0)?.stringValue }
                if !names.isEmpty { claims["name"] = .string(names.joined(separator: " ")) }
            case .userAttribute:
                add(attributeValues(mapper.setting("user.attribute") ?? ""), by: mapper, to: &claims)
            case .userProperty:
                add(property(mapper.setting("user.attribute") ?? "").map { [$0] } ?? [], by: mapper, to: &claims)
            case .hardcodedClaim:
                add(mapper.setting("claim.value").map { [.string($0)] } ?? [], by: mapper, to: &claims)
            case .groupMembership: addGroups(by: mapper, to: &claims)
            case .realmRole: addRoles(roles.filter { $0.client == nil }.map(\.name), of: client.id, by: mapper, to: &claims)
            case .clientRole: addClientRoles(by: mapper, to: &claims)
            case .sessionNote: add(sessionNote(mapper.setting("user.session.note") ?? "").map { [$0] } ?? [], by: mapper, to: &claims)
            // They change the roles themselves.
            case .hardcodedRole, .roleName: continue
            }
        }
    }

    /// The session notes that exist here.
    package static let sessionNotes = ["client_id", "clientId", "AUTH_TIME"]

    private func sessionNote(_ name: String) -> JSONValue? {
        switch name {
        case "client_id", "clientId": person == nil ? .string(client.id) : nil
        case "AUTH_TIME": person == nil ? nil : .integer(authenticated.seconds)
        default: nil
        }
    }

    private static func add(audience: String, to claims: inout JSONObject) {
        let known = claims["aud"]?.arrayValue ?? claims["aud"].map { [$0] } ?? []
        guard !known.contains(.string(audience)) else { return }
        claims["aud"] = .array([.string(audience)] + known)
    }

    private func addGroups(by mapper: KeycloakMapper, to claims: inout JSONObject) {
        guard let account = person?.keycloak, let name = mapper.setting("claim.name") else { return }
        let isWhole = mapper.isOn("full.path")
        let groups = account.groups.map { path -> JSONValue in
            .string(isWhole ? path : path.split(separator: "/").last.map { String($0) } ?? path)
        }
        claims.set(.array(groups), at: Self.path(name, client: client.id))
    }

    private func addClientRoles(by mapper: KeycloakMapper, to claims: inout JSONObject) {
        let only = mapper.setting("usermodel.clientRoleMapping.clientId")
        var clients: [String] = []
        for role in roles {
            guard let client = role.client, only.map({ $0 == client }) ?? true, !clients.contains(client) else { continue }
            clients.append(client)
        }
        for client in clients {
            addRoles(roles.filter { $0.client == client }.map(\.name), of: client, by: mapper, to: &claims)
        }
    }

    private func addRoles(_ names: [String], of client: String, by mapper: KeycloakMapper, to claims: inout JSONObject) {
        let prefix = mapper.setting("usermodel.realmRoleMapping.rolePrefix") ?? mapper.setting("usermodel.clientRoleMapping.rolePrefix")
        add(names.map { .string((prefix ?? "") + $0) }, by: mapper, of: client, to: &claims)
    }

    /// Adds the values in the form that a mapper has: all as a list, or the first one.
    /// - Parameter client: the client that `${client_id}` stands for; `nil` for the one that gets the token.
    private func add(_ values: [JSONValue], by mapper: KeycloakMapper, of client: String? = nil, to claims: inout JSONObject) {
        guard let name = mapper.setting("claim.name"), let first = values.first else { return }
        let type = mapper.setting("jsonType.label") ?? "String"
        let value: JSONValue = mapper.isOn("multivalued") ? .array(values.map { Self.typed($0, type) }) : Self.typed(first, type)
        claims.set(value, at: Self.path(name, client: client ?? self.client.id))
    }

    /// Returns the names of the objects that contain a claim, and its own: `a.b` is a member of `a`, and `\.` a dot.
    private static func path(_ name: String, client: String) -> [String] {
        name.replacing("\\.", with: "\u{0}").split(separator: ".").map { part in
            part.replacing("\u{0}", with: ".").replacing("${client_id}", with: client)
        }
    }

    /// Returns a value as the JSON type with Keycloak's label. A text that has not the form of the type stays a text.
    private static func typed(_ value: JSONValue, _ type: String) -> JSONValue {
        guard case .string(let text) = value else { return type == "String" ? .string(value.serialized()) : value }
        switch type {
        case "long", "int": return Int64(text).map { .integer($0) } ?? value
        case "boolean": return .bool(text.lowercased() == "true")
        case "JSON": return (try? JSONValue(parsing: text)) ?? value
        default: return value
        }
    }

    /// Returns the values of an attribute: the person's or, without any, those of the person's groups.
    private func attributeValues(_ name: String) -> [JSONValue] {
        guard let account = person.map(\.keycloak) ?? client.keycloak?.serviceAccount else {
            return property(name).map { [$0] } ?? []
        }
        let own = account.attribute(name)
        if !own.isEmpty { return own.map { .string($0) } }
        if let property = property(name) { return [property] }
        // A group has the attributes of those above it that it does not have itself.
        for place in provider.keycloakGroups.reversed()
        where account.groups.contains(where: { $0 == place.path || $0.hasPrefix(place.path + "/") }) {
            if let values = place.group.attributes[name]?.arrayValue, !values.isEmpty { return values }
        }
        return []
    }

    /// Returns a property that every person of a realm can have.
    private func property(_ name: String) -> JSONValue? {
        switch name {
        case "username": .string(userName)
        case "id": .string(subject)
        case "email": person?.claims["email"]
        case "firstName": person?.claims["given_name"]
        case "lastName": person?.claims["family_name"]
        case "emailVerified": person == nil ? nil : person?.claims["email_verified"] ?? false
        default: nil
        }
    }
}

extension KeycloakMapper {
    fileprivate func adds(to document: SignedAccess.MappedDocument) -> Bool {
        switch document {
        // Keycloak adds origins to access tokens without a setting.
        case .accessToken: isOn("access.token.claim", or: kind == .allowedOrigins)
        case .idToken: isOn("id.token.claim")
        case .userInfo: isOn("userinfo.token.claim", or: isOn("id.token.claim"))
        }
    }
}

extension JSONObject {
    /// Sets a value in nested objects, which are created where they are missing.
    fileprivate mutating func set(_ value: JSONValue, at path: [String]) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            self[name] = value
            return
        }
        var inner = self[name]?.objectValue ?? [:]
        inner.set(value, at: Array(path.dropFirst()))
        self[name] = .object(inner)
    }
}
