import Directory
package import WireFormats

// The parts of the mobile cloud in the format of seeds, for responses and exports.

extension MobileBackend {
    /// The record in the format of seeds and the API.
    package var json: JSONObject {
        var json: JSONObject = [
            "name": .string(name), "version": .string(version), "id": .string(id), "anonymousUser": .string(anonymousUser),
            "anonymousPassword": .string(anonymousPassword), "anonymousKey": .string(anonymousKey), "clientID": .string(clientID),
            "clientSecret": .string(clientSecret), "realm": .string(realm), "oauth": .bool(allowsOAuth), "basic": .bool(allowsBasic),
            "sso": .bool(allowsSingleSignOn),
        ]
        if let facebook { json["facebook"] = ["appID": .string(facebook.appID), "appSecret": .string(facebook.appSecret)] }
        json["appPolicies"] = .object(appPolicies)
        json["apis"] =
            switch apis {
            case .all: "all"
            case .listed(let names): .texts(names)
            }
        return json
    }
}

extension Realm {
    /// The record in the format of seeds and the API.
    package var json: JSONObject {
        var json: JSONObject = ["name": .string(name), "version": .string(version), "properties": .texts(properties)]
        if let signOn { json["signOn"] = signOn.json }
        json["users"] = .array(users.map { .object($0.json) })
        return json
    }
}

extension MobileUser {
    /// The record in the format of seeds and the API.
    package var json: JSONObject {
        var json: JSONObject = ["id": .string(id), "username": .string(username)]
        json.add("password", password)
        json.add("email", email)
        json.add("firstName", firstName)
        json.add("lastName", lastName)
        json["properties"] = .object(properties)
        json["roles"] = .texts(roles)
        return json
    }
}

extension SignOnProvider {
    fileprivate var json: JSONValue {
        var json: JSONObject = [:]
        switch self {
        case .saml(let saml):
            json.add("identityProvider", saml.identityProvider)
            json.add("metadata", saml.metadata)
            json.add("usernameAttribute", saml.usernameAttribute)
            json["userMappingAttribute"] = .string(saml.mapping.rawValue)
            return ["saml": .object(json)]
        case .openIDConnect(let client):
            json["issuer"] = .string(client.issuer)
            json["clientID"] = .string(client.clientID)
            json.add("clientSecret", client.clientSecret)
            json["scopes"] = .texts(client.scopes)
            json.add("usernameAttribute", client.usernameAttribute)
            json["userMappingAttribute"] = .string(client.mapping.rawValue)
            return ["openIDConnect": .object(json)]
        }
    }
}

extension CustomAPI {
    /// The record in the format of seeds and the API.
    package var json: JSONObject {
        var json: JSONObject = ["name": .string(name), "version": .string(version)]
        switch access {
        case .open: json["access"] = "open"
        case .social: json["access"] = "social"
        case .enterprise(let roles):
            json["access"] = "enterprise"
            json["roles"] = .texts(roles)
        }
        json["endpoints"] = .array(endpoints.map(\.json))
        return json
    }
}

extension CustomAPI.Endpoint {
    fileprivate var json: JSONValue {
        var json: JSONObject = ["method": .string(method), "path": .string(path), "roles": .texts(roles)]
        switch answer {
        case .fixed(let status, let headers, let body, let isTemplate):
            json["status"] = .integer(Int64(status))
            json["headers"] = .object(JSONObject(headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
            json[isTemplate ? "template" : "body"] = .string(body)
        case .caller: json["caller"] = true
        case .forwarded(let url): json["forward"] = .string(url)
        }
        return .object(json)
    }
}

extension TokenCertificate {
    /// The record in the format of seeds and the API.
    package var json: JSONObject {
        switch source {
        case .pem(let text): ["alias": .string(alias), "pem": .string(text)]
        case .identityProvider(let name): ["alias": .string(alias), "identityProvider": .string(name)]
        }
    }
}

extension SAMLTokenIssuer {
    /// The record in the format of seeds and the API.
    package var json: JSONObject {
        var json: JSONObject = [
            "name": .string(name), "enabled": .bool(isEnabled), "certificateSubjectNames": .texts(certificateSubjectNames),
            "virtualUserEnabled": .bool(enablesVirtualUsers),
        ]
        json.add("userAttribute", userAttribute)
        json["roleAttributes"] = .texts(roleAttributes)
        json["roleMappings"] = .array(
            roleMappings.map { ["tokenRole": .string($0.tokenRole), "mappedRoles": .texts($0.mappedRoles)] })
        json["defaultRoles"] = .texts(defaultRoles)
        return json
    }
}

extension StorageCollection {
    /// The record in the format of seeds and the API.
    package var json: JSONObject {
        let permissions = permissions.sorted { $0.key.rawValue < $1.key.rawValue }
        return [
            "id": .string(id), "description": .string(description), "userIsolated": .bool(isUserIsolated), "bucket": .string(bucket),
            "permissions": .object(JSONObject(permissions.map { ($0.key.rawValue, .texts($0.value)) })),
        ]
    }
}

extension MobileTeamMember {
    /// The record in the format of seeds and the API.
    package var json: JSONObject { ["name": .string(name), "password": .string(password), "roles": .texts(roles)] }
}

extension MobileLocations {
    /// The record in the format of seeds and the API.
    package var json: JSONObject {
        func list(_ entries: [JSONObject]) -> JSONValue { .array(entries.map { .object($0) }) }
        return ["devices": list(devices), "places": list(places), "assets": list(assets)]
    }
}

extension JSONValue {
    fileprivate static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

extension JSONObject {
    fileprivate mutating func add(_ name: String, _ text: String?) {
        if let text { self[name] = .string(text) }
    }
}
