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
    /// - Parameter source: why tokens are issued.
    func tokenChanges(for user: UserPoolUser, _ source: String) async throws -> UserPoolTokenChanges {
        var changes = UserPoolTokenChanges()
        guard let trigger = pool.trigger(.preTokenGeneration) else { return changes }
        let isSecond = trigger.version == .second
        let member = isSecond ? "claimsAndScopeOverrideDetails" : "claimsOverrideDetails"
        var request: JSONObject = ["userAttributes": .object(user.eventAttributes)]
        request["groupConfiguration"] = UserPoolTokenGroups(http.cloud.directory.userPools.groups(of: user)).document
        if isSecond { request["scopes"] = [.string(UserPoolTokens.scopeOfAPI)] }
        let result = try await call(.preTokenGeneration, source, of: user.username, request: request, response: [member: .null])
        guard let details = try result?.object(member) else { return changes }
        if isSecond {
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
        !["openid", "email", "phone", "profile", UserPoolTokens.scopeOfAPI].contains(scope) && !scope.contains(" ") && !scope.isEmpty
    }
}
