import Calls
import Directory
import Federation
import WireFormats

/// The two cookies of a provider's pages (RFC 6265).
///
/// One identifies the browser, so that only the browser that was shown a form can submit it; the other is the login. Both are limited to
/// the provider's own paths, not readable by scripts, and not sent with cross-site requests. Only Google's login over TLS is: browsers send
/// it with their own requests for the accounts of a provider. (W3C, "Federated Credential Management API", "Fetch the accounts".)
enum Cookie: String {
    case browser = "virga-browser"
    case session = "virga-session"

    /// Returns the cookie's value in the request.
    func value(in visit: Visit) -> String? { visit.call.cookie(named: rawValue) }

    /// Returns the value of a `Set-Cookie` header.
    func setting(_ value: String, in visit: Visit) -> String {
        let isSecure = visit.call.origin.hasPrefix("https://")
        let site = self == .session && visit.provider.kind == .google && isSecure ? "None" : "Lax"
        let secure = isSecure ? "; Secure" : ""
        return
            "\(rawValue)=\(value); Path=\(visit.basePath)/; Max-Age=\(BrowserSession.lifetime); HttpOnly; SameSite=\(site)\(secure)"
    }
}
