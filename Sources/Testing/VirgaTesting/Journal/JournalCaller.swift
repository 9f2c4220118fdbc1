/// The callers that an expectation or a rule is about. A string literal is a pattern for the caller's ARN or name, in which `*` matches any
/// characters and `?` matches one.
public struct Caller: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The pattern; `nil` for every caller.
    let pattern: String?

    private init(pattern: String?) { self.pattern = pattern }

    /// The callers whose ARN or name matches a pattern. The ARN of a role matches its sessions.
    public init(stringLiteral pattern: String) { self.init(pattern: pattern) }

    /// Every caller.
    public static let anyone = Caller(pattern: nil)

    /// Callers without credentials.
    public static let anonymous = Caller(pattern: "anonymous")

    /// Returns the callers whose ARN or name matches a pattern. The ARN of a role matches its sessions.
    public static func matching(_ pattern: String) -> Caller { Caller(pattern: pattern) }

    /// Returns the sessions of a role.
    /// - Parameter role: the name of the role, or its ARN.
    public static func role(_ role: String) -> Caller {
        Caller(pattern: role.contains(":") ? role : "*:assumed-role/\(role)/*")
    }

    /// Returns one session of a role.
    /// - Parameters:
    ///   - name: the name of the session.
    ///   - role: the name of the role.
    public static func session(_ name: String, ofRole role: String) -> Caller { Caller(pattern: "*:assumed-role/\(role)/\(name)") }

    /// Returns a user.
    /// - Parameter name: the name of the user, with its path if it has one, or its ARN.
    public static func user(_ name: String) -> Caller { Caller(pattern: name.contains(":") ? name : "*:user/\(name)") }
}
