import Cloud
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

    /// The scopes agreed to; nothing if the person never agreed to anything.
    func scopes(in visit: Visit) throws -> [String]? {
        let grant = try visit.cloud.grants.find(name(at: visit.provider), kind: .consent, at: visit.provider.name)
        return grant?.details["scope"]?.stringValue?.split(separator: " ").map(String.init)
    }

    func covers(_ scopes: [String], in visit: Visit) throws -> Bool {
        guard let agreed = try self.scopes(in: visit) else { return false }
        return scopes.allSatisfy(agreed.contains)
    }

    /// Adds scopes to those agreed to.
    func add(_ scopes: [String], in visit: Visit) async throws {
        let agreed = try self.scopes(in: visit)
        if let agreed, scopes.allSatisfy(agreed.contains) { return }
        let all = (agreed ?? []) + scopes.filter { !(agreed ?? []).contains($0) }
        let name = name(at: visit.provider)
        let now = visit.cloud.clock.now
        let grant = Grant(
            kind: .consent, provider: visit.provider.name, client: client.id, person: person.name, issued: now,
            expires: now + .seconds(100 * 365 * 86_400), details: ["scope": .string(all.joined(separator: " "))])
        try await visit.cloud.grants.keep(grant, under: name)
    }
}
