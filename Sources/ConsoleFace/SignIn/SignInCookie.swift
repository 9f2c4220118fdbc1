import Federation

/// The cookie of a sign-in. Browsers send cookies to every port of a host, so its name has the port, and its value is not the control token.
struct SignInCookie {
    /// The lifetime in seconds, as that of its value.
    private static let lifetime = 43_200

    let name: String
    private let isSecure: Bool

    init(place: ConsolePlace) {
        isSecure = place.origin.hasPrefix("https://")
        name = "virga-console-\(Origin(url: place.origin)?.port ?? (isSecure ? 443 : 80))"
    }

    /// Returns the value of `Set-Cookie`. (RFC 6265.)
    func setting(_ value: String) -> String { "\(name)=\(value); Max-Age=\(Self.lifetime)\(attributes)" }

    /// The value of `Set-Cookie` that removes the cookie.
    var removal: String { "\(name)=; Max-Age=0\(attributes)" }

    private var attributes: String { "; Path=/_virga/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")" }
}
