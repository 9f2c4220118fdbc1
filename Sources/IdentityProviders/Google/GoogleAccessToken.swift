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
    init?(_ text: String, in visit: Visit) throws {
        guard let grant = try visit.cloud.grants.find(text, kind: .accessToken, at: visit.provider.name),
            let client = visit.provider.client(grant.client)
        else { return nil }
        person = visit.provider.person(named: grant.person)
        guard person != nil || grant.person.isEmpty && GoogleServiceAccount(client) != nil else { return nil }
        self.grant = grant
        self.client = client
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
