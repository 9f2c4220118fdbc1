import Cloud
import Directory
import Federation
import WireFormats

/// What a person has agreed to for a client, remembered until it is revoked: nobody is asked twice for the same scopes.
///
/// It is a grant under a name that everybody could know; it opens nothing by itself, and revoking everything of person and
/// client takes it away with the tokens.
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

    /// The scopes agreed to; `nil` if the person was never asked.
    func scopes(in visit: Visit) throws -> [String]? { try grant(in: visit).map { Self.list("scope", of: $0) } }

    /// The scopes that the person left out; they are not asked again for those, unless the application insists.
    func declined(in visit: Visit) throws -> [String] { Self.list("declined", of: try grant(in: visit)) }

    func covers(_ scopes: [String], in visit: Visit) throws -> Bool {
        guard let grant = try grant(in: visit) else { return false }
        let answered = Self.list("scope", of: grant) + Self.list("declined", of: grant)
        return scopes.allSatisfy(answered.contains)
    }

    /// Adds scopes to those agreed to, and to those left out; each scope has one answer, the newest.
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
        try await visit.cloud.grants.keep(grant, under: name(at: visit.provider))
    }

    private static func merged(_ list: [String], adding more: [String], taking less: [String]) -> [String] {
        list.filter { !less.contains($0) } + more.filter { !list.contains($0) }
    }
}
