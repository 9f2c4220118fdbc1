import Calls
import Federation

/// The addresses of the environment, as the audience of a token may spell them: below the base URL under every name of this process.
struct EnvironmentAddress {
    let call: Call

    /// What the audience of a JWT may name where its issuer has no audience of its own, with and without a slash at the end.
    /// (Using Oracle Mobile Cloud Service, configuration reference, `audience`.)
    static let ofJWTExchange: Set<String> = Set(
        ["", "/mobile", "/mobile/platform", "/mobile/platform/auth", "/mobile/platform/auth/token"].flatMap { [$0, $0 + "/"] })
    /// What the audience of an assertion must name. (Using Oracle Mobile Cloud Service, "SAML Tokens and Virtual Users".)
    static let ofAssertionExchange: Set<String> = ["/mobile/platform/sso/exchange-token"]

    /// Whether a URL is one of the paths at this process, by the scheme and port that the call came to or by the URL that it has in public.
    func isMeant(by url: String, paths: Set<String>) -> Bool {
        if let publicURL = call.names.publicURL, url.hasPrefix(publicURL), paths.contains(String(url.dropFirst(publicURL.count))) {
            return true
        }
        guard let origin = Origin(url: url), paths.contains(String(origin.path)),
            url.hasPrefix(call.isSecure ? "https://" : "http://"),
            // Not by what the caller says in Host: a token for another must not become one for us.
            call.names.contains(origin.host)
        else { return false }
        return port(origin.authority, of: origin.host) == port(call.authority, of: call.host)
    }

    private func port(_ authority: String, of host: String) -> Substring {
        let port = authority.utf8.dropFirst(host.utf8.count).drop { $0 == UInt8(ascii: ":") }
        return port.isEmpty ? (call.isSecure ? "443" : "80") : Substring(port)
    }
}
