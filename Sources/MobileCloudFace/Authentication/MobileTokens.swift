import Cloud
import WireFormats

/// The access tokens that the mobile cloud issues: JWTs that name the backend which they are for.
struct MobileTokens: Sendable {
    let cloud: Cloud

    /// What a token says.
    struct Content: Sendable {
        /// ``MobileBackend/id``
        var backendID: String
        /// Nothing in a token of client credentials.
        var username: String?
        /// Of a virtual user: the issuer that vouches for it, and what it may do. Absent for a user of the realm, whose roles are looked up.
        var virtual: Virtual?
        /// What it was issued on.
        var method: MobileCaller.Method
        /// Roles that a token of an issuer gave a user of the realm beside those assigned.
        var furtherRoles: [String] = []
        /// As it will say.
        var issued: Timestamp
        var expires: Timestamp
    }

    struct Virtual: Sendable {
        var issuer: String
        var roles: [String]
    }

    /// A new token.
    /// - Throws: an error of the key's making.
    func issue(_ content: Content) async throws -> String { throw MobileError(.internalError, "No token.") }

    /// What a token of ours says, if it still counts.
    /// - Throws: ``MobileError``.
    func read(_ token: String) async throws -> Content { throw MobileError(.invalidToken, "No token.") }
}
