import Calls
import HTTPTypes

/// The two cookies of the browser flow, called as Oracle Access Manager calls its own, since SDKs forget them by name at a logout.
///
/// Neither can be read by scripts, and other sites' requests bring them only where a browser goes from one page to the next (RFC 6265bis).
enum RelayCookie {
    /// Names the browser, so that a login ends where it began.
    case browser
    /// The login itself.
    case session

    /// The session's name holds host and port: those of two clouds on one machine stay apart.
    func name(in call: Call) -> String {
        switch self {
        case .browser: "ORA_OSFS_SESSION"
        case .session: "OAMAuthnCookie_\(call.origin.drop { $0 != ":" }.dropFirst("://".count).lowercased())"
        }
    }

    func value(in call: Call) -> String? { call.cookie(named: name(in: call)) }

    /// The value of a `Set-Cookie` header.
    func setting(_ value: String, in call: Call) -> HTTPField {
        let lifetime = self == .browser ? PendingLogin.lifetime : RelaySession.lifetime
        let secure = call.origin.hasPrefix("https://") ? "; Secure" : ""
        return HTTPField(
            name: .setCookie,
            value: "\(name(in: call))=\(value); Path=/mobile/platform/sso; Max-Age=\(lifetime); HttpOnly; SameSite=Lax\(secure)")
    }
}
