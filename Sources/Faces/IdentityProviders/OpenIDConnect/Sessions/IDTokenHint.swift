import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// An ID token of this issuer that identifies the user as a hint (OpenID Connect Core 1.0 section 3.1.2.1, RP-Initiated Logout 1.0 section
/// 2). It may have expired.
struct IDTokenHint {
    private let provider: IdentityProvider
    var issuer: String
    var subject: String
    var audiences: [String]
    /// The `azp`.
    var authorizedParty: String?
    /// The `sid`.
    var session: String?
    /// Whether the key of the token is the client's secret, so that the client could have made it itself.
    private let isOfSharedSecret: Bool

    /// Verifies a hint; `nil` unless it is an ID token that this provider signed with a key that it still publishes, or with the secret of
    /// the client that it is for.
    /// - Throws: an error of the keys' storage.
    init?(_ text: String, at visit: Visit) async throws {
        let own = try await visit.cloud.token(text, signedBy: visit.provider.name)
        guard let token = own ?? Self.token(text, ofClientAt: visit.provider), token.isIDToken,
            let issuer = token.claims["iss"]?.stringValue, let subject = token.claims["sub"]?.stringValue,
            visit.cloud.directory.provider(issuer: issuer, names: visit.call.names)?.name == visit.provider.name
        else { return nil }
        provider = visit.provider
        self.issuer = issuer
        self.subject = subject
        audiences = token.claims.audiences
        authorizedParty = token.claims["azp"]?.stringValue
        session = token.claims["sid"]?.stringValue
        isOfSharedSecret = own == nil
    }

    /// Returns a token whose key is the secret of its only audience, with the algorithm that this client has registered; `nil` for another
    /// text.
    private static func token(_ text: String, ofClientAt provider: IdentityProvider) -> JSONWebToken? {
        guard let token = try? JSONWebToken(parsing: text, accepting: SignatureAlgorithm.sharedSecret), token.claims.audiences.count == 1,
            let client = token.claims.audiences.first.flatMap(provider.client), client.sharedSecretAlgorithm == token.algorithm,
            token.claims["azp"]?.stringValue ?? client.id == client.id,
            let secret = client.idTokenSecret, (try? token.verify(secret: secret)) != nil
        else { return nil }
        return token
    }

    /// Returns whether the hint proves that its sender was told about a session. A client can make a token with its secret about anyone, but
    /// it knows the identifiers only of the sessions in which it received an ID token.
    func isAbout(_ session: BrowserSession) -> Bool {
        isAbout(session.person) && (!isOfSharedSecret || self.session == session.id)
    }

    /// Returns whether the subject is this user at one of the token's clients, including clients that no longer exist.
    private func isAbout(_ person: Person) -> Bool {
        subject == person.subject || audiences.compactMap(provider.client).contains { provider.subject(of: person, for: $0) == subject }
    }
}
