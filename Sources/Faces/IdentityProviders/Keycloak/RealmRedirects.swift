import Calls
import Directory
import WireFormats

/// The redirect URIs of a client of a realm, which may end in `*`. (Keycloak, "Server Administration Guide", "Valid redirect URIs".)
struct RealmRedirects {
    /// The registered URIs, with relative ones made absolute.
    var registered: [String]

    private static let wildcard = "*"
    private static let webSchemes = ["https://", "http://"]

    /// Returns whether the browser may be redirected to a URI.
    func allow(_ uri: String) -> Bool {
        if registered.contains(uri) || registered.contains(where: { Self.covers($0, uri) }) { return true }
        // The port of an application on the user's machine is not known in advance (RFC 8252 section 7.3).
        guard let other = Self.withoutLoopbackPort(uri) else { return false }
        return registered.contains(other) || registered.contains { Self.covers($0, other) }
    }

    /// Returns whether a registered URI that ends in `*` covers a URI. The query does not matter.
    private static func covers(_ pattern: String, _ uri: String) -> Bool {
        guard pattern.hasSuffix(wildcard), !pattern.contains("?"), isPlain(uri) else { return false }
        if pattern == wildcard { return webSchemes.contains(where: uri.hasPrefix) }
        let start = String(pattern.dropLast())
        let path = String(uri.prefix { $0 != "?" })
        return path.hasPrefix(start) || start.hasSuffix("/") && path == String(start.dropLast())
    }

    /// Returns whether a URI has only printable characters, and nothing with which it could look like one at another place: a user name, a
    /// fragment, a backslash or a parent folder.
    private static func isPlain(_ uri: String) -> Bool {
        guard uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        let before = uri.prefix { $0 != "?" }
        guard !uri.contains("#"), !before.contains("\\") else { return false }
        // Servers decode paths in different ways, once or more often, and cut off parameters of segments.
        var decoded = String(before)
        for _ in 0..<4 { decoded = percentDecoded(decoded) ?? decoded }
        guard !decoded.contains("\\") else { return false }
        let parts = decoded.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.prefix { $0 != ";" } == ".." }) else { return false }
        guard webSchemes.contains(where: uri.hasPrefix) else { return true }
        return parts.count > 2 && !parts[2].contains("@")
    }

    private static func withoutLoopbackPort(_ uri: String) -> String? {
        let hosts = ["http://localhost", "http://127.0.0.1", "http://[::1]"]
        guard let host = hosts.first(where: { uri.hasPrefix($0 + ":") }) else { return nil }
        let rest = uri.dropFirst(host.count + 1)
        let port = rest.prefix { $0 != "/" && $0 != "?" }
        guard UInt16(digits: port) != nil else { return nil }
        return host + rest.dropFirst(port.count)
    }
}

extension Visit {
    /// Returns whether a client has registered a redirect URI.
    func mayRedirect(_ client: Client, to uri: String) -> Bool {
        if client.redirects(to: uri) { return true }
        return manners.acceptsWildcards && RealmRedirects(registered: client.redirectURIs.map(absolute)).allow(uri)
    }

    /// Returns whether a client has registered a URI to continue to after a logout.
    func mayLeave(_ client: Client, to uri: String) -> Bool {
        // Microsoft Entra ID and Keycloak accept redirect URIs of clients that have registered none for logout.
        let usual = manners.redirectsAfterLogout ? ["+"] : provider.product == .entra ? client.redirectURIs : []
        let own = client.metadata.postLogoutRedirectURIs ?? usual
        guard manners.acceptsWildcards else { return own.contains(uri) }
        // Keycloak's `+` stands for the redirect URIs.
        let registered = own.filter { $0 != "+" } + (own.contains("+") ? client.redirectURIs : [])
        return RealmRedirects(registered: registered.map(absolute)).allow(uri)
    }

    /// Returns a registered URI with the host of the request, if it is only a path.
    func absolute(_ registered: String) -> String { registered.hasPrefix("/") ? origin + registered : registered }
}
