import Calls
import Cryptography
import Directory
import HTTPTypes
import Seeds
import Tokens
import WireFormats

extension AdminRoute {
    /// The calls that concern clients.
    static let clients: [AdminRoute] = [
        .get("clients", "GetClients", .viewClients) { try $0.clients() },
        .post("clients", "CreateClient", .manageClients) { try await $0.createClient() },
        .get("clients/{client}", "GetClient", .viewClients) { call in
            let (id, client) = try call.anyClient()
            let realm = try call.current
            return .json(.object(client?.representation(in: realm) ?? realm.representation(ofBuiltIn: id)))
        },
        .put("clients/{client}", "UpdateClient", .manageClients) { try await $0.updateClient() },
        .delete("clients/{client}", "DeleteClient", .manageClients) { call in
            let id = try call.clientID()
            try await call.edit { directory throws(KeycloakRefusal) in
                try directory.removeKeycloakClient(id, ofRealm: call.realm.name)
            }
            return AdminCall.done
        },
        .get("clients/{client}/client-secret", "GetClientSecret", .viewClients) { call in
            var secret: JSONObject = ["type": "secret"]
            if let value = try call.client().secret { secret["value"] = .string(value) }
            return .json(.object(secret))
        },
        .post("clients/{client}/client-secret", "RegenerateClientSecret", .manageClients) { try await $0.regenerateSecret() },
        .get("clients/{client}/service-account-user", "GetServiceAccountUser", .viewClients) { call in
            let client = try call.client()
            guard client.hasServiceAccount else {
                throw AdminError(status: .badRequest, message: "Service account not enabled for the client '\(client.id)'")
            }
            return .json(.object(try AdminAccount.service(client).representation(in: call.current)))
        },
        .get("clients/{client}/protocol-mappers/models", "GetMappers", .viewClients) { call in
            let mappers = try call.client().keycloak?.mappers ?? []
            return .json(.array(mappers.map { .object($0.representation) }))
        },
        .post("clients/{client}/protocol-mappers/models", "CreateMapper", .manageClients) { try await $0.createMapper() },
        .get("clients/{client}/protocol-mappers/models/{id}", "GetMapper", .viewClients) { call in
            .json(.object(try call.mapper().representation))
        },
        .put("clients/{client}/protocol-mappers/models/{id}", "UpdateMapper", .manageClients) { try await $0.updateMapper() },
        .delete("clients/{client}/protocol-mappers/models/{id}", "DeleteMapper", .manageClients) { call in
            let id = try call.mapper().id
            try await call.changeClient { $0.mappers.removeAll { $0.id == id } }
            return AdminCall.done
        },
    ]
}

extension KeycloakMapper {
    /// The ProtocolMapperRepresentation.
    fileprivate var representation: JSONObject {
        [
            "id": .string(id), "name": .string(name), "protocol": "openid-connect", "protocolMapper": .string(kind.rawValue),
            "consentRequired": false, "config": .object(config),
        ]
    }
}

extension Client {
    /// The ClientRepresentation.
    fileprivate func representation(in realm: IdentityProvider) -> JSONObject {
        var client: JSONObject = ["id": .string(realm.keycloakID(of: self)), "clientId": .string(id)]
        if name != id { client["name"] = .string(name) }
        let isImplicit = metadata.responseTypes?.contains { $0.contains("token") } ?? false
        client["enabled"] = true
        client["clientAuthenticatorType"] = .string(authenticator)
        if let secret { client["secret"] = .string(secret) }
        client["redirectUris"] = .array(redirectURIs.map { .string($0) })
        client["webOrigins"] = .array((webOrigins ?? []).map { .string($0) })
        client["bearerOnly"] = .bool(metadata.grantTypes?.isEmpty ?? false)
        client["consentRequired"] = .bool(requiresConsent ?? false)
        client["standardFlowEnabled"] = .bool(mayUse(.authorizationCode))
        client["implicitFlowEnabled"] = .bool(isImplicit)
        client["directAccessGrantsEnabled"] = .bool(mayUse(.password))
        client["serviceAccountsEnabled"] = .bool(hasServiceAccount)
        client["publicClient"] = .bool(isPublic)
        client["frontchannelLogout"] = .bool(metadata.frontchannelLogoutURI != nil)
        client["protocol"] = "openid-connect"
        client["attributes"] = .object(attributes)
        client["fullScopeAllowed"] = true
        let mappers = keycloak?.mappers ?? []
        if !mappers.isEmpty { client["protocolMappers"] = .array(mappers.map { .object($0.representation) }) }
        client["defaultClientScopes"] = ["web-origins", "acr", "profile", "roles", "basic", "email"]
        client["optionalClientScopes"] = ["address", "phone", "offline_access", "microprofile-jwt"]
        client["access"] = ["view": true, "configure": true, "manage": true]
        for (name, value) in keycloak?.settings.members ?? [] { client[name] = value }
        return client
    }

    private var authenticator: String {
        switch metadata.tokenEndpointAuthMethod {
        case "private_key_jwt": "client-jwt"
        case "client_secret_jwt": "client-secret-jwt"
        default: "client-secret"
        }
    }

    private var attributes: JSONObject {
        var attributes = JSONObject()
        func set(_ name: String, _ value: String?) { if let value { attributes[name] = .string(value) } }
        set("post.logout.redirect.uris", metadata.postLogoutRedirectURIs?.joined(separator: "##"))
        set("backchannel.logout.url", metadata.backchannelLogoutURI)
        set("frontchannel.logout.url", metadata.frontchannelLogoutURI)
        set("id.token.signed.response.alg", metadata.idTokenSignedResponseAlg)
        set("oauth2.device.authorization.grant.enabled", mayUse(.deviceCode) ? "true" : nil)
        set("standard.token.exchange.enabled", mayUse(.tokenExchange) ? "true" : nil)
        if let url = metadata.jwksURI {
            set("use.jwks.url", "true")
            set("jwks.url", url)
        }
        return attributes
    }
}

extension IdentityProvider {
    /// The ClientRepresentation of a client that every realm has.
    fileprivate func representation(ofBuiltIn id: String) -> JSONObject {
        [
            "id": .string(keycloakID(ofBuiltIn: id)), "clientId": .string(id), "name": .string("${client_\(id)}"), "enabled": true,
            "publicClient": false, "bearerOnly": true, "standardFlowEnabled": false, "protocol": "openid-connect", "attributes": [:],
            "redirectUris": [], "webOrigins": [],
        ]
    }
}

extension AdminCall {
    /// Returns the client with the identifier in the path; `nil` as the client for one that every realm has.
    fileprivate func anyClient(at index: Int = 0) throws(AdminError) -> (id: String, client: Client?) {
        let realm = try current
        let id = parameters[index]
        if let client = realm.clients.first(where: { realm.keycloakID(of: $0) == id }) { return (client.id, client) }
        if let builtIn = KeycloakRealm.builtInClients.first(where: { realm.keycloakID(ofBuiltIn: $0.id) == id }) {
            return (builtIn.id, nil)
        }
        throw AdminError(.noSuchClient)
    }

    /// Returns the client ID of the client in the path.
    /// - Parameter index: the position of its identifier among the parameters.
    func clientID(at index: Int = 0) throws(AdminError) -> String { try anyClient(at: index).id }

    fileprivate func client() throws(AdminError) -> Client {
        let (id, client) = try anyClient()
        guard let client else { throw AdminError(.builtIn(id)) }
        return client
    }

    fileprivate func mapper() throws(AdminError) -> KeycloakMapper {
        let id = parameters[1]
        guard let mapper = try client().keycloak?.mappers.first(where: { $0.id == id }) else {
            throw AdminError.notFound("Model not found")
        }
        return mapper
    }

    fileprivate func clients() throws -> Response {
        let realm = try current
        let wanted = query.value("clientId")
        let isSearch = isOn("search")
        if query.value("q") != nil { throw AdminError.absent("the filter q of clients") }
        let own = realm.clients.map { ($0.id, $0.representation(in: realm)) }
        let builtIn = KeycloakRealm.builtInClients.map(\.id).filter { realm.client($0) == nil }
            .map { ($0, realm.representation(ofBuiltIn: $0)) }
        let found = (own + builtIn).filter { id, _ in
            wanted.map { isSearch ? id.lowercased().contains($0.lowercased()) : id == $0 } ?? true
        }
        return .json(.array(page(found).map { .object($0.1) }))
    }

    fileprivate func createClient() async throws -> Response {
        var representation = try await object()
        if representation["publicClient"]?.boolValue != true, representation["bearerOnly"]?.boolValue != true,
            representation["secret"]?.stringValue?.isEmpty ?? true
        {
            representation["secret"] = .string(try Self.newSecret())
        }
        if representation["id"]?.stringValue == nil { representation["id"] = .string(KeycloakIdentifier.uuid(try randomBytes(16))) }
        let client = try converted(representation)
        try await edit { directory throws(KeycloakRefusal) in try directory.addClient(client, toRealm: realm.name) }
        return created(try current.client(client.id).map { realm.keycloakID(of: $0) } ?? client.id)
    }

    /// Returns a secret in the form of Keycloak's.
    /// - Parameter count: the number of characters, at most 64.
    private static func newSecret(_ count: Int = 32) throws -> String { String(try randomBytes(48).base64url.prefix(count)) }

    private func converted(_ representation: JSONObject) throws(AdminError) -> Client {
        do throws(KeycloakRepresentation.Fault) {
            return try KeycloakRepresentation.client(representation, realm: realm.name)
        } catch { throw AdminError(error) }
    }

    fileprivate func updateClient() async throws -> Response {
        let old = try client()
        let change = try await object()
        if let id = change["clientId"]?.stringValue, id != old.id { throw AdminError.absent("changes of clientId") }
        var representation = old.representation(in: realm)
        for (name, value) in change.members where value != .null { representation[name] = value }
        // Attributes that a client does not send remain.
        var attributes = old.representation(in: realm)["attributes"]?.objectValue ?? [:]
        for (name, value) in change["attributes"]?.objectValue?.members ?? [] { attributes[name] = value }
        representation["attributes"] = .object(attributes)
        representation["id"] = .string(realm.keycloakID(of: old))
        let new = try converted(representation)
        try await edit { directory throws(KeycloakRefusal) in
            guard var client = try directory.keycloakRealm(realm.name).client(old.id) else { throw .noSuchClient }
            (client.name, client.secret, client.redirectURIs) = (new.name, new.secret, new.redirectURIs)
            client.furtherGrants = new.furtherGrants
            (client.requiresConsent, client.webOrigins) = (new.requiresConsent, new.webOrigins)
            client.metadata.grantTypes = new.metadata.grantTypes
            client.metadata.responseTypes = new.metadata.responseTypes
            client.metadata.tokenEndpointAuthMethod = new.metadata.tokenEndpointAuthMethod
            client.metadata.idTokenSignedResponseAlg = new.metadata.idTokenSignedResponseAlg
            client.metadata.jwksURI = new.metadata.jwksURI
            client.metadata.postLogoutRedirectURIs = new.metadata.postLogoutRedirectURIs
            client.metadata.backchannelLogoutURI = new.metadata.backchannelLogoutURI
            client.metadata.backchannelLogoutSessionRequired = new.metadata.backchannelLogoutSessionRequired
            client.metadata.frontchannelLogoutURI = new.metadata.frontchannelLogoutURI
            var settings = new.keycloak ?? KeycloakClient()
            settings.serviceAccount = client.keycloak?.serviceAccount
            client.keycloak = settings
            directory.put(client, at: realm.name)
        }
        return Self.done
    }

    fileprivate func regenerateSecret() async throws -> Response {
        let (id, algorithm) = (try client().id, try client().sharedSecretAlgorithm)
        let secret = try Self.newSecret(algorithm?.shortestSecret ?? 32)
        try await edit { directory throws(KeycloakRefusal) in
            guard var client = try directory.keycloakRealm(realm.name).client(id) else { throw .noSuchClient }
            (client.secret, client.formerSecret) = (secret, nil)
            directory.put(client, at: realm.name)
        }
        return .json(["type": "secret", "value": .string(secret)])
    }

    /// Changes the settings of the client in the path.
    fileprivate func changeClient(_ change: (inout KeycloakClient) -> Void) async throws {
        let id = try client().id
        try await edit { directory throws(KeycloakRefusal) in
            guard var client = try directory.keycloakRealm(realm.name).client(id) else { throw .noSuchClient }
            var settings = client.keycloak ?? KeycloakClient()
            change(&settings)
            client.keycloak = settings
            directory.put(client, at: realm.name)
        }
    }

    private func newMapper(_ representation: JSONObject) throws(AdminError) -> KeycloakMapper {
        do throws(KeycloakRepresentation.Fault) {
            return try KeycloakRepresentation.mapper(representation)
        } catch { throw AdminError(error) }
    }

    fileprivate func createMapper() async throws -> Response {
        var representation = try await object()
        representation["id"] = .string(KeycloakIdentifier.uuid(try randomBytes(16)))
        let mapper = try newMapper(representation)
        guard try client().keycloak?.mappers.contains(where: { $0.name == mapper.name }) != true else {
            throw AdminError.conflict("Protocol mapper exists with same name")
        }
        try await changeClient { $0.mappers.append(mapper) }
        return created(mapper.id)
    }

    fileprivate func updateMapper() async throws -> Response {
        let id = try mapper().id
        var representation = try await object()
        representation["id"] = .string(id)
        let mapper = try newMapper(representation)
        try await changeClient { settings in
            settings.mappers = settings.mappers.map { $0.id == id ? mapper : $0 }
        }
        return Self.done
    }
}
