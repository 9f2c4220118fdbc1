import Cryptography
package import Directory
import WireFormats

/// Generates opaque tokens, which have a meaning only through the provider's records.
package enum OpaqueToken {
    static func code(of kind: IdentityProvider.Kind) throws -> String { try token(kind.descriptor.code) }

    static func accessToken(of kind: IdentityProvider.Kind, client: Client) throws -> String {
        try token(kind.descriptor.accessToken, client: client)
    }

    static func refreshToken(of kind: IdentityProvider.Kind) throws -> String { try token(kind.descriptor.refreshToken) }

    private static func token(_ form: OpaqueTokenForm, client: Client? = nil) throws -> String {
        let body =
            switch form.body {
            case .base62(let count): try base62(count)
            case .base64url(let count): try randomBytes(count).base64url
            }
        guard form.hasClientMark, let client else { return form.prefix + body }
        return form.prefix + body + mark(body, client: client)
    }

    /// Returns 43 characters with 256 random bits; also used for cookies and forms.
    /// - Throws: an error of the random generator.
    package static func unguessable() throws -> String { try randomBytes(32).base64url }

    /// Returns the app of a Facebook token, derived from the token alone. A revoked token leaves no record, but Facebook's response still
    /// names the app. This does not prove that the token is valid.
    package static func facebookClient(of token: String, among clients: some Sequence<Client>) -> Client? {
        let form = IdentityProvider.Kind.facebook.descriptor.accessToken
        guard token.hasPrefix(form.prefix), case .base62(let count) = form.body,
            token.utf8.count == form.prefix.utf8.count + count + markLength
        else { return nil }
        let body = String(token.dropFirst(form.prefix.count).dropLast(markLength))
        return clients.first { mark(body, client: $0) == token.suffix(markLength) }
    }

    /// The number of characters of the mark of a client.
    private static let markLength = 8

    private static func mark(_ body: String, client: Client) -> String {
        let digest = SHA256.hash("\(client.id) \(body)")
        return String(decoding: digest.prefix(markLength).map { alphabet[Int($0) % 62] }, as: UTF8.self)
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
