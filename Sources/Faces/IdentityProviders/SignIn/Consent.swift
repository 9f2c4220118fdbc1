import Cloud
import Directory
import Federation
import WireFormats

/// A user's consent to a client's scopes, stored until it is revoked, so that the user is not asked again for the same scopes.
///
/// It is a grant under a predictable name, which grants no access by itself. Revoking all grants of user and client removes it together
/// with the tokens.
struct Consent {
    var client: Client
    var person: Person

    private func name(at provider: IdentityProvider) -> String {
        ["consent", provider.name, client.id, person.name].joined(separator: "\u{0}")
    }

    private func grant(in visit: Visit) throws -> Grant? {
        try visit.cloud.grants.find(name(at: visit.provider), kind: .consent, at: visit.provider.name)
    }

    private static func list(_ name: String, of grant: Grant?) -> [String] {
        grant?.details[name]?.stringValue?.split(separator: " ").map(String.init) ?? []
    }

    /// Returns the scopes that the user agreed to; `nil` if the user was never asked.
    func scopes(in visit: Visit) throws -> [String]? { try grant(in: visit).map { Self.list("scope", of: $0) } }

    /// Returns the scopes that the user declined. The user is not asked again for them, unless the application requires it.
    func declined(in visit: Visit) throws -> [String] { Self.list("declined", of: try grant(in: visit)) }

    func covers(_ scopes: [String], in visit: Visit) throws -> Bool {
        guard let grant = try grant(in: visit) else { return false }
        let answered = Self.list("scope", of: grant) + Self.list("declined", of: grant)
        return scopes.allSatisfy(answered.contains)
    }

    /// Adds agreed and declined scopes; the newest decision about each scope counts.
    func add(_ scopes: [String], declined: [String] = [], in visit: Visit) async throws {
        let known = try grant(in: visit)
        let (formerlyAgreed, formerlyDeclined) = (Self.list("scope", of: known), Self.list("declined", of: known))
        let agreed = Self.merged(formerlyAgreed, adding: scopes, taking: declined)
        let refused = Self.merged(formerlyDeclined, adding: declined, taking: scopes)
        if known != nil, agreed == formerlyAgreed, refused == formerlyDeclined { return }
        let now = visit.cloud.clock.now
        var details: JSONObject = ["scope": .string(agreed.joined(separator: " "))]
        if !refused.isEmpty { details["declined"] = .string(refused.joined(separator: " ")) }
        let grant = Grant(
            kind: .consent, provider: visit.provider.name, client: client.id, person: person.name, issued: now,
            expires: now + .seconds(100 * 365 * 86_400), details: details)
        try await visit.grantIssuer.keep(grant, under: name(at: visit.provider))
    }

    private static func merged(_ list: [String], adding more: [String], taking less: [String]) -> [String] {
        list.filter { !less.contains($0) } + more.filter { !list.contains($0) }
    }
}
