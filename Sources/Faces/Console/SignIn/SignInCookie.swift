import Federation
import WireFormats

/// The cookie of a sign-in. Browsers send cookies to every port of a host, so its name has the port, and its value is not the control token.
struct SignInCookie {
    /// The lifetime in seconds, as that of its value.
    private static let lifetime = 43_200

    let name: String
    private let isSecure: Bool

    /// - Parameter kind: `console` for a sign-in, or `seat` for a student's place in the class.
    init(place: ConsolePlace, kind: String = "console") {
        isSecure = place.origin.hasPrefix("https://")
        name = "virga-\(kind)-\(Origin(url: place.origin)?.port ?? (isSecure ? 443 : 80))"
    }

    /// Returns a value that also names a sandbox: for a student, and for a visit to a sandbox at the console's own port.
    static func value(_ token: String, of sandbox: String) -> String { "\(sandbox)~\(token)" }

    /// Returns the sandbox and the token of a value.
    static func parts(of value: String) -> (sandbox: String?, token: String) {
        let parts = value.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : (nil, value)
    }

    /// Returns the value that counts if a browser sends several: a page of a sandbox can set a cookie of the same name for the whole host, and
    /// must not choose the sandbox that another user sees.
    static func chosen(of values: [String]) -> String? {
        values.first { parts(of: $0).sandbox == nil } ?? (Set(values).count == 1 ? values.first : nil)
    }

    /// Returns the value of `Set-Cookie`. (RFC 6265.)
    func setting(_ value: String) -> String { "\(name)=\(value); Max-Age=\(Self.lifetime)\(attributes)" }

    /// The value of `Set-Cookie` that removes the cookie.
    var removal: String { "\(name)=; Max-Age=0\(attributes)" }

    private var attributes: String { "; Path=/_virga/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")" }
}
