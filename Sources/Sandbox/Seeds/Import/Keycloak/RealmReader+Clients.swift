import Directory
import WireFormats

extension RealmReader {
    /// Clients that every realm has. Virga has no pages for them, or has them itself.
    private static let builtInClients = [
        "account", "account-console", "admin-cli", "broker", "realm-management", "security-admin-console",
    ]

    /// Converts the clients, and adds the one with which administration libraries log in.
    mutating func convertedClients(_ realm: JSONObject) -> [JSONValue] {
        var converted: [JSONValue] = []
        var known: Set<TextKey> = []
        for client in Self.objects(realm["clients"]) {
            let id = client["clientId"]?.stringValue ?? ""
            guard !Self.builtInClients.contains(id) else { continue }
            let owner = "client \(id)"
            let type = client["protocol"]?.stringValue ?? "openid-connect"
            guard !id.isEmpty, known.insert(TextKey(id)).inserted else {
                lose("\(owner): a second client of this ID, or one without an ID")
                continue
            }
            guard type == "openid-connect" else {
                lose("\(owner): the whole client, since its protocol is \(type); declare SAML service providers in the seed")
                continue
            }
            guard client["enabled"]?.boolValue != false else {
                lose("\(owner): the whole client, since it is disabled")
                continue
            }
            converted.append(.object(self.client(client, id, owner, realm)))
        }
        if let json = try? Client.record.json(of: Client.adminCommandLine) { converted.append(.object(json)) }
        return converted
    }

    /// Converts one client.
    mutating func client(_ client: JSONObject, _ id: String, _ owner: String, _ realm: JSONObject) -> JSONObject {
        var seeded: JSONObject = ["id": .string(id)]
        if let name = client["name"]?.stringValue, !name.isEmpty, name != id { seeded["name"] = .string(name) }
        var metadata = ClientMetadata()
        let isPublic = client["publicClient"]?.boolValue == true
        if !isPublic { setAuthentication(of: &seeded, &metadata, client, id, owner) }
        setAlgorithm(of: &metadata, client, secret: seeded["secret"]?.stringValue, owner)
        setScopes(of: &metadata, client, owner, realm)
        let root = client["rootUrl"]?.stringValue ?? ""
        let uris = redirectURIs(Self.texts(client["redirectUris"]), root, owner)
        if !uris.isEmpty { seeded["redirectURIs"] = .array(uris.map { .string($0) }) }
        setGrants(of: &seeded, &metadata, client, isPublic: isPublic, owner)
        setLogout(of: &metadata, client, uris, root, owner)
        if metadata != ClientMetadata(), let json = try? metadata.json { seeded["metadata"] = .object(json) }

        var keycloak = JSONObject()
        if let account = serviceAccounts[id], !account.isEmpty { keycloak["serviceAccount"] = .object(account) }
        let mappers = self.mappers(of: client, owner, realm)
        if !mappers.isEmpty { keycloak["mappers"] = .array(mappers) }
        var settings = JSONObject()
        for name in ["id", "description", "rootUrl", "baseUrl", "adminUrl", "webOrigins", "consentRequired"] {
            guard let value = client[name], value != "", value != [], value != false else { continue }
            settings[name] = value
        }
        if !settings.isEmpty { keycloak["settings"] = .object(settings) }
        if !keycloak.isEmpty { seeded["keycloak"] = .object(keycloak) }

        if client["authorizationSettings"] != nil { lose("\(owner): authorizationSettings (Authorization Services)") }
        if client["fullScopeAllowed"]?.boolValue == false { lose("\(owner): fullScopeAllowed false; its tokens have all roles") }
        if client["consentRequired"]?.boolValue == true {
            if Client.record.has("consentRequired") { seeded["consentRequired"] = true } else { lose("\(owner): consentRequired") }
        }
        let origins = Self.texts(client["webOrigins"])
        if !origins.isEmpty, Client.record.has("webOrigins") { seeded["webOrigins"] = .array(origins.map { .string($0) }) }
        if let overrides = client["authenticationFlowBindingOverrides"]?.objectValue, !overrides.isEmpty {
            lose("\(owner): authenticationFlowBindingOverrides")
        }
        return seeded
    }

    /// Sets the secret or the keys of a confidential client.
    private mutating func setAuthentication(
        of seeded: inout JSONObject, _ metadata: inout ClientMetadata, _ client: JSONObject, _ id: String, _ owner: String
    ) {
        let attributes = client["attributes"]
        var hasSecret = true
        switch client["clientAuthenticatorType"]?.stringValue ?? "client-secret" {
        case "client-jwt":
            metadata.tokenEndpointAuthMethod = "private_key_jwt"
            if attributes?["use.jwks.url"]?.stringValue == "true", let url = attributes?["jwks.url"]?.stringValue, !url.isEmpty {
                metadata.jwksURI = url
            } else {
                lose("\(owner): its key; set metadata.jwks or metadata.jwks_uri")
            }
            return
        case "client-secret": break
        case "client-secret-jwt": metadata.tokenEndpointAuthMethod = "client_secret_jwt"
        case let type:
            lose("\(owner): clientAuthenticatorType \(type); it authenticates with a secret, which is its ID if the file has none")
            hasSecret = false
        }
        let secret = client["secret"]?.stringValue ?? ""
        if !secret.isEmpty, secret.contains(where: { $0 != "*" }) {
            seeded["secret"] = .string(secret)
        } else {
            // Keycloak would generate one, which is in no file.
            seeded["secret"] = .string(id)
            if client["bearerOnly"]?.boolValue != true, hasSecret {
                lose("\(owner): its secret, which is \(secret.isEmpty ? "missing" : "masked"); here it is the client's ID")
            }
        }
    }

    /// Sets the algorithm of ID tokens.
    private mutating func setAlgorithm(of metadata: inout ClientMetadata, _ client: JSONObject, secret: String?, _ owner: String) {
        let attribute = "id.token.signed.response.alg"
        guard let name = client["attributes"]?[attribute]?.stringValue, !name.isEmpty, name != "any" else { return }
        var candidate = Client(id: "", secret: secret, name: "", redirectURIs: [], applicationID: nil)
        candidate.metadata.idTokenSignedResponseAlg = name
        if let missing = candidate.sharedSecretFault {
            lose("\(owner): attribute \(attribute), which needs \(missing)")
        } else if !ClientMetadata.idTokenAlgorithms.contains(name) {
            lose("\(owner): attribute \(attribute) \(name)")
        } else {
            metadata.idTokenSignedResponseAlg = name
        }
    }

    /// Returns the redirect URIs. Those that begin with a slash are relative to the root URL or, without one, to the server.
    private mutating func redirectURIs(_ uris: [String], _ root: String, _ owner: String) -> [String] {
        uris.compactMap { uri in
            let whole = uri.hasPrefix("/") ? (root.hasSuffix("/") ? String(root.dropLast()) : root) + uri : uri
            guard !whole.contains("${") else {
                lose("\(owner): redirect URI '\(uri)', which has a placeholder")
                return nil
            }
            return whole
        }
    }

    private mutating func setGrants(
        of seeded: inout JSONObject, _ metadata: inout ClientMetadata, _ client: JSONObject, isPublic: Bool, _ owner: String
    ) {
        func isOn(_ name: String, or usual: Bool) -> Bool { client[name]?.boolValue ?? usual }
        func attribute(_ name: String) -> Bool { client["attributes"]?[name]?.stringValue == "true" }
        let isBearerOnly = isOn("bearerOnly", or: false)
        var grants: [FurtherGrant] = []
        if isOn("directAccessGrantsEnabled", or: false) { grants.append(.password) }
        if isOn("serviceAccountsEnabled", or: false), !isPublic { grants.append(.clientCredentials) }
        if attribute("oauth2.device.authorization.grant.enabled") { grants.append(.deviceCode) }
        if attribute("standard.token.exchange.enabled") { grants.append(.tokenExchange) }
        if attribute("oidc.ciba.grant.enabled") { lose("\(owner): the grant CIBA") }
        let hasCodes = isOn("standardFlowEnabled", or: true) && !isBearerOnly
        let hasImplicit = isOn("implicitFlowEnabled", or: false) && !isBearerOnly
        if hasImplicit {
            let hybrid = hasCodes ? ["code", "code id_token", "code token", "code id_token token"] : []
            metadata.responseTypes = hybrid + ["id_token", "id_token token", "token"]
        }
        if hasCodes {
            if !grants.isEmpty { seeded["grants"] = .array(grants.map { .string($0.rawValue) }) }
        } else {
            let refresh = isBearerOnly ? [] : [UsualGrant.refreshToken.rawValue]
            metadata.grantTypes = grants.map(\.rawValue) + refresh
        }
        for name in ["access.token.lifespan", "client.session.idle.timeout", "client.session.max.lifespan"] {
            if let value = client["attributes"]?[name]?.stringValue, !value.isEmpty { lose("\(owner): attribute \(name)") }
        }
    }

    private mutating func setLogout(
        of metadata: inout ClientMetadata, _ client: JSONObject, _ uris: [String], _ root: String, _ owner: String
    ) {
        func attribute(_ name: String) -> String? {
            client["attributes"]?[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        }
        if let text = attribute("post.logout.redirect.uris"), text != "-" {
            let listed = text.replacing("##", with: "\u{0}").split(separator: "\u{0}").map { String($0) }
            metadata.postLogoutRedirectURIs = (listed.contains("+") ? uris : []) + redirectURIs(listed.filter { $0 != "+" }, root, owner)
        }
        if let url = attribute("backchannel.logout.url") {
            metadata.backchannelLogoutURI = url
            metadata.backchannelLogoutSessionRequired = attribute("backchannel.logout.session.required") == "true" ? true : nil
        }
        if client["frontchannelLogout"]?.boolValue == true, let url = attribute("frontchannel.logout.url") {
            metadata.frontchannelLogoutURI = url
        }
    }
}
