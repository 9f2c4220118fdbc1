import Cloud
import Exchange

extension Client {
    /// The first of the scopes that the client has not registered for, where it has registered scopes (RFC 7591 section 2). A blank list,
    /// as some libraries send it, is none.
    func unregistered(of scopes: [String]) -> String? {
        guard let registered = metadata.scope?.split(separator: " "), !registered.isEmpty else { return nil }
        return scopes.first { scope in !registered.contains { $0 == scope } }
    }
}

extension OAuthError {
    static func unregistered(_ scope: String) -> OAuthError {
        OAuthError(.invalidScope, "The client is not registered for the scope \(scope).")
    }
}
