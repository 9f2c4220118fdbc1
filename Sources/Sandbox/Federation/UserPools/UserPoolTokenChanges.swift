package import Directory
package import WireFormats

/// The groups and roles in the tokens of a person.
package struct UserPoolTokenGroups: Sendable {
    /// The names, for `cognito:groups`.
    package var names: [String]
    /// The ARNs, for `cognito:roles`.
    package var roles: [String]
    /// The ARN for `cognito:preferred_role`; `nil` if there is none.
    package var preferredRole: String?

    package init(names: [String], roles: [String], preferredRole: String?) {
        self.names = names
        self.roles = roles
        self.preferredRole = preferredRole
    }

    /// - Parameter groups: the groups of the person, the preferred one first.
    package init(_ groups: [UserPoolGroup]) {
        self.init(names: groups.map(\.name), roles: groups.compactMap(\.role), preferredRole: UserPoolGroup.preferredRole(of: groups))
    }
}

/// What a function changes in the tokens of a person. (Amazon Cognito Developer Guide, "Pre token generation Lambda trigger".)
package struct UserPoolTokenChanges: Sendable {
    /// The changes of the claims of one token.
    package struct Claims: Sendable {
        /// The claims that are added or replaced.
        package var added: JSONObject
        /// The names of the claims that are left out.
        package var suppressed: [String]

        package init(added: JSONObject = [:], suppressed: [String] = []) {
            self.added = added
            self.suppressed = suppressed
        }

        /// Changes claims. Those that a function cannot change stay as they are, without an error.
        func apply(to claims: inout JSONObject, except fixed: [String]) {
            for claim in added.members where !fixed.contains(claim.name) { claims[claim.name] = claim.value }
            for name in suppressed where !fixed.contains(name) { claims[name] = nil }
        }
    }

    /// The changes of ID tokens.
    package var identity = Claims()
    /// The changes of access tokens.
    package var access = Claims()
    /// The groups in place of those of the person; `nil` to leave them.
    package var groups: UserPoolTokenGroups?
    /// The scopes that are added to access tokens.
    package var addedScopes: [String] = []
    /// The scopes that are removed from access tokens.
    package var suppressedScopes: [String] = []

    package init() {}

    private static let fixed = [
        "acr", "amr", "at_hash", "auth_time", "azp", "event_id", "exp", "iat", "iss", "jti", "nbf", "nonce", "origin_jti", "sub",
        "token_use",
    ]
    /// The claims of ID tokens that a function cannot change.
    static let fixedInIDTokens = fixed + ["aud", "cognito:username", "identities"]
    /// The claims of access tokens that a function cannot change; scopes have their own members.
    static let fixedInAccessTokens = fixed + ["client_id", "device_key", "scope", "username", "version"]

    /// Returns the scopes of an access token.
    func scopes(of scopes: [String]) -> [String] {
        (scopes + addedScopes.filter { !scopes.contains($0) }).filter { !suppressedScopes.contains($0) }
    }
}
