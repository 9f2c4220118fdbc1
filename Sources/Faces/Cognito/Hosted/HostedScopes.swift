import Directory
import WireFormats

extension UserPoolClient.OAuth {
    /// Returns whether a person who is signed in can continue to the app without a page.
    func accepts(_ user: UserPoolUser) -> Bool {
        allowsOwnUsers && user.status != .externalProvider || user.identities.contains { providers.contains($0.provider) }
    }
}

extension UserPoolClient {
    /// Returns the scopes that a request gets: those that it asks for, or all that the client can ask for. A scope whose resource server has
    /// lost it is left out silently. (Amazon Cognito Developer Guide, "Defining resource servers for your user pool".)
    /// - Parameter scope: the parameter `scope`; `nil` if there is none.
    /// - Returns: `nil` if the client cannot ask for one of them.
    func scopes(asked scope: String?, in pools: UserPools) -> [String]? {
        let allowed = oauthSettings.scopes
        let asked = scope?.split(separator: " ").map(String.init) ?? allowed
        guard asked.allSatisfy({ allowed.contains($0) }) else { return nil }
        let existing = pools.scopes(of: pool)
        var scopes: [String] = []
        for name in asked where existing.contains(name) && !scopes.contains(name) { scopes.append(name) }
        // The scopes of attributes need `openid`.
        guard scopes.contains(UserPoolScope.openID) || !scopes.contains(where: { UserPoolScope.ofAttributes.contains($0) }) else {
            return nil
        }
        return scopes
    }
}
