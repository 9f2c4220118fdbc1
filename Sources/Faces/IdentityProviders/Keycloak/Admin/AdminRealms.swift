import Calls
import Directory
import HTTPTypes
import Tokens
import WireFormats

extension AdminRoute {
    /// The calls that concern a whole realm.
    static let realms: [AdminRoute] = [
        .get("", "GetRealm", .viewRealm) { .json(.object(try $0.current.keycloakRepresentation)) },
        .delete("", "DeleteRealm", .allRealms) { call in
            let name = call.realm.name
            try await call.edit { directory throws(KeycloakRefusal) in
                _ = try directory.keycloakRealm(name)
                directory.remove(.init(.provider, name))
            }
            return AdminCall.done
        },
        .get("default-groups", "GetDefaultGroups", .viewRealm) { _ in .json([]) },
        .get("identity-provider/instances", "GetIdentityProviders", .viewRealm) { _ in .json([]) },
    ]

    /// Parts of the API that have no calls here, by the first segment of their path, and why.
    static let absentParts: [String: String] = [
        "events": "events of users; the journal of the control API has the requests",
        "admin-events": "events of administrators; the journal of the control API has the requests",
        "authentication": "authentication flows", "components": "components", "client-scopes": "client scopes",
        "organizations": "organizations", "keys": "the keys of realms", "attack-detection": "brute force detection",
        "identity-provider": "identity providers of realms", "partialImport": "partial imports", "partial-export": "partial exports",
    ]
}

extension IdentityProvider {
    /// The RealmRepresentation.
    var keycloakRepresentation: JSONObject {
        let defaultRole = keycloakRole(KeycloakRealm.defaultRole(of: name))
        return [
            "id": .string(keycloakRealmID), "realm": .string(name), "enabled": true,
            "accessTokenLifespan": .integer(Int64(tokenLifetime)),
            "defaultSignatureAlgorithm": .string((signingAlgorithm ?? .rs256).rawValue), "sslRequired": "none",
            "registrationAllowed": false, "loginWithEmailAllowed": false, "editUsernameAllowed": false, "bruteForceProtected": false,
            "eventsEnabled": false, "adminEventsEnabled": false,
            "defaultRole": .object(defaultRole?.representation(in: self, isBrief: true) ?? [:]), "attributes": [:],
        ]
    }
}
