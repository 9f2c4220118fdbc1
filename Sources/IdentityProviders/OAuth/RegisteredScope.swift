import Calls
import Cloud
import Directory

extension Client {
    /// The first of the scopes that the client has not registered for, where it has registered scopes (RFC 7591 section 2). A blank list,
    /// as some libraries send it, is none.
    func unregistered(of scopes: [String]) -> String? {
        guard let registered = metadata.scope?.split(separator: " "), !registered.isEmpty else { return nil }
        return scopes.first { scope in !registered.contains { $0 == scope } }
    }

    /// Scopes with those that it has without asking, but for those that it has not registered for; in the provider's order.
    func scopes(_ named: [String], byDefault usual: [String]) -> [String] {
        OpenIDConnectMetadata.scopes.filter { named.contains($0) || usual.contains($0) && unregistered(of: [$0]) == nil }
    }
}

extension OAuthError {
    static func unregistered(_ scope: String) -> OAuthError {
        OAuthError(.invalidScope, "The client is not registered for the scope \(scope).")
    }
}
