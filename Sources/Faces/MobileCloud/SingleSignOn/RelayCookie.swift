import Calls
import HTTPTypes
import WireFormats

/// The two cookies of the browser flow. They have the names that Oracle Access Manager uses, since SDKs delete them by name at logout.
///
/// Both are `HttpOnly`, and `SameSite=Lax`: requests from other sites contain them only for top-level navigations (RFC 6265bis).
enum RelayCookie {
    /// Identifies the browser, so that a login ends where it began.
    case browser
    /// The session of a logged-in user.
    case session

    /// Returns the cookie's name. That of the session contains host and port, which separates two clouds on one machine.
    func name(in call: Call) -> String {
        switch self {
        case .browser: "ORA_OSFS_SESSION"
        case .session: "OAMAuthnCookie_\(call.origin.drop { $0 != ":" }.dropFirst("://".count).lowercased())"
        }
    }

    func value(in call: Call) -> String? { call.cookie(named: name(in: call)) }

    /// Returns the `Set-Cookie` header.
    func setting(_ value: String, in call: Call) -> HTTPField {
        let lifetime = self == .browser ? PendingLogin.lifetime : RelaySession.lifetime
        let secure = call.origin.hasPrefix("https://") ? "; Secure" : ""
        return HTTPField(
            name: .setCookie,
            value: "\(name(in: call))=\(value); Path=/mobile/platform/sso; Max-Age=\(lifetime); HttpOnly; SameSite=Lax\(secure)")
    }
}
