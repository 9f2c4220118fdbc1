import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// A valid access token of Google's, of a user or of a service account that acts for itself.
struct GoogleAccessToken {
    let grant: Grant
    let client: Client
    /// The user; `nil` for a service account.
    let person: Person?
    let scopes: [String]

    /// Looks up a token; `nil` if it is unknown, expired or revoked.
    init?(_ text: String, in visit: Visit) async throws {
        guard let found = try await visit.grantVerifier.verified(text, kind: .accessToken) else { return nil }
        (grant, client, person) = (found.grant, found.client, found.person)
        scopes = grant.details["scope"]?.stringValue?.split(separator: " ").map(String.init) ?? []
        visit.call.note(caller: person?.name ?? client.id)
    }

    var subject: String { person?.subject ?? GoogleServiceAccount.subject(of: client.id) }

    /// The claims that the scopes allow; for a service account, its e-mail address.
    var claims: JSONObject {
        if let person { return person.claims(for: scopes) }
        return scopes.contains("email") ? ["email": .string(client.id), "email_verified": true] : [:]
    }
}
