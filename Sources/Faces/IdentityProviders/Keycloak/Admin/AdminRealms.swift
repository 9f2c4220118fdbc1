import Calls
import Cloud
import Directory
import HTTPTypes
import Seeds
import Tokens
import WireFormats

extension AdminRoute {
    /// The calls that concern a whole realm.
    static let realms: [AdminRoute] = [
        .get("", "GetRealm", .viewRealm) { .json(.object(try $0.current.keycloakRepresentation)) },
        .put("", "UpdateRealm", .manageRealm) { try await $0.updateRealm() },
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
        // Nothing is cached here.
        .post("clear-realm-cache", "ClearRealmCache", .manageRealm) { _ in AdminCall.done },
        .post("clear-user-cache", "ClearUserCache", .manageRealm) { _ in AdminCall.done },
        .post("clear-keys-cache", "ClearKeysCache", .manageRealm) { _ in AdminCall.done },
        .post("clear-crl-cache", "ClearCRLCache", .manageRealm) { _ in AdminCall.done },
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
            "registrationAllowed": .bool(allowsRegistration ?? false), "revokeRefreshToken": .bool(revokesRefreshTokens ?? false),
            "loginWithEmailAllowed": true, "editUsernameAllowed": false, "bruteForceProtected": false,
            "eventsEnabled": false, "adminEventsEnabled": false,
            "defaultRole": .object(defaultRole?.representation(in: self, isBrief: true) ?? [:]), "attributes": [:],
        ]
    }
}

extension AdminCall {
    /// Changes the settings of the realm that differ in the body. As at Keycloak, its users, clients, roles and groups stay as they are.
    fileprivate func updateRealm() async throws -> Response {
        let representation = try await object()
        let name = realm.name
        let present = try current.keycloakRepresentation
        var changed = JSONObject()
        for (member, value) in representation.members where !Self.partsOfRealm.contains(TextKey(member)) {
            if present[member] != value { changed[member] = value }
        }
        if changed["realm"] != nil { throw AdminError.absent("another name for a realm") }
        if changed["attributes"]?["frontendUrl"] != nil { throw AdminError.absent("changes of the frontendUrl of a realm") }
        if changed["loginWithEmailAllowed"] != nil {
            throw AdminError.absent("loginWithEmailAllowed false: people log in with either name")
        }
        changed["realm"] = .string(name)
        let new: (realm: IdentityProvider, leftOut: [String])
        do throws(KeycloakRepresentation.Fault) {
            new = try KeycloakRepresentation.realm(.object(changed))
            if !new.leftOut.isEmpty { throw .leftOut(new.leftOut) }
        } catch { throw AdminError(error) }
        try await edit { directory throws(KeycloakRefusal) in
            var realm = try directory.keycloakRealm(name)
            if changed["accessTokenLifespan"] != nil { realm.tokenLifetime = new.realm.tokenLifetime }
            if changed["defaultSignatureAlgorithm"] != nil { realm.signingAlgorithm = new.realm.signingAlgorithm }
            if changed["registrationAllowed"] != nil { realm.allowsRegistration = new.realm.allowsRegistration }
            if changed["revokeRefreshToken"] != nil { realm.revokesRefreshTokens = new.realm.revokesRefreshTokens }
            directory.put(.provider(realm))
        }
        return Self.done
    }

    /// The members of a RealmRepresentation that calls of their own change.
    private static let partsOfRealm = Set(
        ["id", "users", "clients", "clientScopes", "roles", "groups", "defaultRole", "federatedUsers"].map { TextKey($0) })
}
