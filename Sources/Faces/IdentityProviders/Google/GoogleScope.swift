import WireFormats

/// Google's scopes: the short names of OpenID Connect, and the equivalent URLs.
enum GoogleScope {
    private static let prefix = "https://www.googleapis.com/auth/"

    /// Returns the short name if there is one; `nil` for a scope that Google does not have.
    static func normalized(_ scope: String) -> String? {
        switch scope {
        case "openid", "email", "profile": scope
        case prefix + "userinfo.email": "email"
        case prefix + "userinfo.profile": "profile"
        default: scope.hasPrefix(prefix) ? scope : nil
        }
    }

    /// Returns the scopes as token responses spell them.
    static func spelledOut(_ scopes: [String]) -> String {
        scopes.map { scope in scope == "email" || scope == "profile" ? prefix + "userinfo." + scope : scope }.joined(
            separator: " ")
    }
}
