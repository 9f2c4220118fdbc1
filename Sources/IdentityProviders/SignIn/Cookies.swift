import Calls
import Federation

/// The two cookies of a provider's pages (RFC 6265).
///
/// One names the browser, so that a form is answered by the browser that was shown it; the other is the login. Both are
/// bound to the provider's own paths, not readable by scripts, and not sent with requests that other sites make.
enum Cookie: String {
    case browser = "virga-browser"
    case session = "virga-session"

    /// The cookie's value in the request.
    func value(in visit: Visit) -> String? { visit.call.cookie(named: rawValue) }

    /// The value of a `Set-Cookie` header.
    func setting(_ value: String, in visit: Visit) -> String {
        let secure = visit.call.origin.hasPrefix("https://") ? "; Secure" : ""
        return
            "\(rawValue)=\(value); Path=\(visit.basePath)/; Max-Age=\(BrowserSession.lifetime); HttpOnly; SameSite=Lax\(secure)"
    }
}
