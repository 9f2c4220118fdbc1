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

    /// Verifies a hint; `nil` unless it is an ID token that this provider signed with a key that it still publishes.
    /// - Throws: an error of the keys' storage.
    init?(_ text: String, at visit: Visit) async throws {
        guard let token = try await visit.cloud.token(text, signedBy: visit.provider.name), token.isIDToken,
            let issuer = token.claims["iss"]?.stringValue, let subject = token.claims["sub"]?.stringValue,
            visit.cloud.directory.provider(issuer: issuer, names: visit.call.names)?.name == visit.provider.name
        else { return nil }
        provider = visit.provider
        self.issuer = issuer
        self.subject = subject
        audiences = token.claims.audiences
        authorizedParty = token.claims["azp"]?.stringValue
        session = token.claims["sid"]?.stringValue
    }

    /// Returns whether the subject is this user at one of the token's clients, including clients that no longer exist.
    func isAbout(_ person: Person) -> Bool {
        subject == person.subject || audiences.compactMap(provider.client).contains { provider.subject(of: person, for: $0) == subject }
    }
}
