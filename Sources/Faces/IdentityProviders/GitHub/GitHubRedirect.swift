import Directory
import Federation
import WireFormats

/// The rule for redirect URIs: the host of a callback URL or a name below it, its port, and its path or one below it. A loopback address
/// may have any port. (GitHub Docs, "Authorizing OAuth apps", "Redirect URLs", "Loopback redirect urls".)
struct GitHubRedirect {
    private let origin: Origin
    private let isSecure: Bool
    /// The path without a query.
    private let path: String

    /// - Returns: `nil` for a URI that is compared as a whole: one without a host, or with a fragment.
    init?(_ uri: String) {
        guard let origin = Origin(url: uri), Authority.isValid(origin.authority), !origin.path.contains("#") else { return nil }
        self.origin = origin
        isSecure = uri.hasPrefix("https://")
        let path = origin.path.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
    }

    /// Returns whether a client may be redirected to a URI.
    static func isAllowed(_ uri: String, for client: Client) -> Bool {
        if client.redirectURIs.contains(uri) { return true }
        guard let redirect = GitHubRedirect(uri), redirect.isDirect else { return false }
        return client.redirectURIs.contains { callback in GitHubRedirect(callback).map(redirect.isBelow) ?? false }
    }

    private func isBelow(_ callback: GitHubRedirect) -> Bool {
        let host = callback.origin.host
        let isSameHost = origin.host == host
        guard isSecure == callback.isSecure, isSameHost || !HostNames.isAddress(host) && origin.host.hasSuffix("." + host) else {
            return false
        }
        let isLoopback = isSameHost && HostNames.isThisMachine(host)
        guard isLoopback || origin.effectivePort == callback.origin.effectivePort else { return false }
        return path == callback.path || path.hasPrefix(callback.path.hasSuffix("/") ? callback.path : callback.path + "/")
    }

    /// Whether no segment leads elsewhere, such as `..`, in the way a browser reads them.
    private var isDirect: Bool {
        path.split(separator: "/").allSatisfy { segment in
            guard let name = percentDecoded(segment) else { return false }
            return name != "." && name != ".." && !name.contains("/") && !name.contains("\\")
        }
    }
}
