import Calls
import Cloud
import Directory
import WireFormats

extension Client {
    /// Returns the first scope that the client has not registered; `nil` if it has registered all, or has no list of scopes (RFC 7591
    /// section 2). Some libraries send a blank list, which counts as none.
    func unregistered(of scopes: [String]) -> String? {
        guard let registered = metadata.scope?.split(separator: " "), !registered.isEmpty else { return nil }
        return scopes.first { scope in !registered.contains { $0 == scope } }
    }

    /// Returns the named scopes and the default ones, except defaults that the client has not registered, in the provider's order.
    func scopes(_ named: [String], byDefault usual: [String]) -> [String] {
        OpenIDConnectMetadata.scopes.filter { named.contains($0) || usual.contains($0) && unregistered(of: [$0]) == nil }
    }
}

extension OAuthError {
    static func unregistered(_ scope: String) -> OAuthError {
        OAuthError(.invalidScope, "The client is not registered for the scope \(scope).")
    }
}
