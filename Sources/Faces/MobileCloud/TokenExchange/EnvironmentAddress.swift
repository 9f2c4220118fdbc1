import Calls
import Federation
import WireFormats

/// The URLs of the environment that a token's audience may contain: paths below the base URL, under every name of this process.
struct EnvironmentAddress {
    let call: Call

    /// The paths that a JWT's audience may name if its issuer has no configured audience, with and without a trailing slash.
    /// (Using Oracle Mobile Cloud Service, configuration reference, `audience`.)
    static let ofJWTExchange: Set<String> = Set(
        ["", "/mobile", "/mobile/platform", "/mobile/platform/auth", "/mobile/platform/auth/token"].flatMap { [$0, $0 + "/"] })
    /// The path that an assertion's audience must name. (Using Oracle Mobile Cloud Service, "SAML Tokens and Virtual Users".)
    static let ofAssertionExchange: Set<String> = ["/mobile/platform/sso/exchange-token"]

    /// Returns whether a URL is one of the paths on this process, either at the scheme and port of the request or below the public URL.
    func isMeant(by url: String, paths: Set<String>) -> Bool {
        if let publicURL = call.names.publicURL, url.hasPrefix(publicURL), paths.contains(String(url.dropFirst(publicURL.count))) {
            return true
        }
        guard let origin = Origin(url: url), paths.contains(String(origin.path)),
            url.hasPrefix(call.isSecure ? "https://" : "http://"),
            // The client's `Host` header is not trusted, so that a token for another server is not accepted here.
            call.names.contains(origin)
        else { return false }
        return port(origin.authority, of: origin.host) == port(call.authority, of: call.host)
    }

    private func port(_ authority: String, of host: String) -> Substring {
        let port = authority.utf8.dropFirst(host.utf8.count).drop { $0 == UInt8(ascii: ":") }
        return port.isEmpty ? (call.isSecure ? "443" : "80") : Substring(port)
    }
}
