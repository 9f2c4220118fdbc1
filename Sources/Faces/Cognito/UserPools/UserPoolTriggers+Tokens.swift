import Cloud
import Directory
import Federation
import WireFormats

extension UserPoolTokenGroups {
    /// The groups as functions receive and return them.
    fileprivate var document: JSONValue {
        var members: JSONObject = [
            "groupsToOverride": .array(names.map { .string($0) }), "iamRolesToOverride": .array(roles.map { .string($0) }),
            "preferredRole": .null,
        ]
        if let preferredRole { members["preferredRole"] = .string(preferredRole) }
        return .object(members)
    }

    fileprivate init(_ response: UserPoolTriggerResponse?) throws(UserPoolError) {
        self.init(
            names: try response?.texts("groupsToOverride") ?? [], roles: try response?.texts("iamRolesToOverride") ?? [],
            preferredRole: try response?.text("preferredRole"))
    }
}

extension UserPoolTokenChanges.Claims {
    /// - Parameter hasTextsOnly: whether values must be texts.
    fileprivate init(_ response: UserPoolTriggerResponse?, hasTextsOnly: Bool) throws(UserPoolError) {
        self.init()
        guard let response else { return }
        added = hasTextsOnly ? try response.textMap("claimsToAddOrOverride") : try response.map("claimsToAddOrOverride")
        suppressed = try response.texts("claimsToSuppress") ?? []
    }
}

extension UserPoolTriggers {
    /// Returns what a function changes in the tokens of a person.
    /// - Parameters:
    ///   - source: why tokens are issued.
    ///   - scopes: the scopes of the access token.
    func tokenChanges(for user: UserPoolUser, _ source: String, scopes: [String]) async throws -> UserPoolTokenChanges {
        try await tokenChanges(
            source, of: user.username, user.eventAttributes, UserPoolTokenGroups(http.cloud.directory.userPools.groups(of: user)),
            scopes: scopes)
    }

    /// Returns what a function changes in the token that an app gets for itself. Only functions with the third version of events are called.
    /// - Parameter scopes: the scopes of the token.
    func tokenChanges(forTokenOf client: UserPoolClient, scopes: [String]) async throws -> UserPoolTokenChanges {
        guard pool.trigger(.preTokenGeneration)?.version == .third else { return UserPoolTokenChanges() }
        // The service's `userName` is not public; the `sub` of these tokens is the identifier of the app.
        return try await tokenChanges(
            "ClientCredentials", of: client.id, [:], UserPoolTokenGroups(names: [], roles: [], preferredRole: nil), scopes: scopes)
    }

    private func tokenChanges(
        _ source: String, of username: String, _ attributes: JSONObject, _ groups: UserPoolTokenGroups, scopes: [String]
    ) async throws -> UserPoolTokenChanges {
        var changes = UserPoolTokenChanges()
        guard let trigger = pool.trigger(.preTokenGeneration) else { return changes }
        let changesAccessTokens = trigger.version?.changesAccessTokens ?? false
        let member = changesAccessTokens ? "claimsAndScopeOverrideDetails" : "claimsOverrideDetails"
        var request: JSONObject = ["userAttributes": .object(attributes), "groupConfiguration": groups.document]
        if changesAccessTokens { request["scopes"] = .array(scopes.map { .string($0) }) }
        let result = try await call(.preTokenGeneration, source, of: username, request: request, response: [member: .null])
        guard let details = try result?.object(member) else { return changes }
        if changesAccessTokens {
            let access = try details.object("accessTokenGeneration")
            changes.identity = try .init(try details.object("idTokenGeneration"), hasTextsOnly: false)
            changes.access = try .init(access, hasTextsOnly: false)
            changes.addedScopes = try (access?.texts("scopesToAdd") ?? []).filter { Self.canAdd(scope: $0) }
            changes.suppressedScopes = try access?.texts("scopesToSuppress") ?? []
        } else {
            changes.identity = try .init(details, hasTextsOnly: true)
        }
        // An empty or null object removes the groups from the tokens.
        if details.has("groupOverrideDetails") { changes.groups = try UserPoolTokenGroups(try details.object("groupOverrideDetails")) }
        return changes
    }

    /// Returns whether a function can add a scope: not those of OpenID Connect and of the service, and none with a space.
    private static func canAdd(scope: String) -> Bool {
        !UserPoolScope.all.contains(scope) && !scope.contains(" ") && !scope.isEmpty
    }
}
