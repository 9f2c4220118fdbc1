import Cryptography
package import Directory
import WireFormats

/// Generates opaque tokens, which have a meaning only through the provider's records.
package enum OpaqueToken {
    /// The number of random characters in Facebook's tokens.
    private static let facebookBody = 160

    static func code(of kind: IdentityProvider.Kind) throws -> String {
        switch kind {
        case .openIDConnect: try unguessable()
        // "AN" and 18 to 128 characters in total.
        case .amazon: "AN" + (try base62(24))
        case .facebook: "AQ" + (try base62(160))
        case .google: "4/0A" + (try randomBytes(52)).base64url
        }
    }

    /// Returns an access token. Amazon's are at least 350 characters long, which reveals fields that are too short.
    static func accessToken(of kind: IdentityProvider.Kind, client: Client) throws -> String {
        switch kind {
        case .openIDConnect: return try unguessable()
        case .amazon: return "Atza|" + (try randomBytes(270)).base64url
        case .google: return "ya29." + (try randomBytes(120)).base64url
        case .facebook:
            let body = try base62(facebookBody)
            return "EAA" + body + facebookMark(body, client: client)
        }
    }

    static func refreshToken(of kind: IdentityProvider.Kind) throws -> String {
        switch kind {
        case .openIDConnect, .facebook: try unguessable()
        case .amazon: "Atzr|" + (try randomBytes(270)).base64url
        case .google: "1//0" + (try randomBytes(64)).base64url
        }
    }

    /// Returns 43 characters with 256 random bits; also used for cookies and forms.
    /// - Throws: an error of the random generator.
    package static func unguessable() throws -> String { try randomBytes(32).base64url }

    /// Returns the app of a Facebook token, derived from the token alone. A revoked token leaves no record, but Facebook's response still
    /// names the app. This does not prove that the token is valid.
    package static func facebookClient(of token: String, among clients: some Sequence<Client>) -> Client? {
        guard token.hasPrefix("EAA"), token.utf8.count == 3 + facebookBody + 8 else { return nil }
        let body = String(token.dropFirst(3).dropLast(8))
        return clients.first { facebookMark(body, client: $0) == token.suffix(8) }
    }

    private static func facebookMark(_ body: String, client: Client) -> String {
        let digest = SHA256.hash("\(client.id) \(body)")
        return String(decoding: digest.prefix(8).map { alphabet[Int($0) % 62] }, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Returns random letters and digits with equal probabilities; bytes that would cause a bias are dropped.
    private static func base62(_ count: Int) throws -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(count)
        while characters.count < count {
            let fair = try randomBytes(count).lazy.filter { $0 < 248 }
            characters.append(contentsOf: fair.prefix(count - characters.count).map { alphabet[Int($0) % 62] })
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
