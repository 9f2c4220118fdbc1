/// Google's scopes: the short names of OpenID Connect, and the URLs that stand for the same.
enum GoogleScope {
    private static let prefix = "https://www.googleapis.com/auth/"

    /// The short name where there is one; `nil` for what Google would not know.
    static func normalized(_ scope: String) -> String? {
        switch scope {
        case "openid", "email", "profile": scope
        case prefix + "userinfo.email": "email"
        case prefix + "userinfo.profile": "profile"
        default: scope.hasPrefix(prefix) ? scope : nil
        }
    }

    /// As token answers spell them.
    static func spelledOut(_ scopes: [String]) -> String {
        scopes.map { scope in scope == "email" || scope == "profile" ? prefix + "userinfo." + scope : scope }.joined(
            separator: " ")
    }
}
