import Cryptography
import WireFormats

/// What a client calls people by (OpenID Connect Core 1.0 section 8).
package enum SubjectType: String, Sendable, Codable {
    /// One identifier for all clients.
    case `public`
    /// One for each sector, so that clients of two cannot tell that they know the same person.
    case pairwise
}

extension Client {
    /// The host that pairwise identifiers are made for (section 8.1): that of `sector_identifier_uri`, or else the one that all redirect URIs
    /// have. `nil` if there are several, or none.
    package var sector: String? {
        let hosts = Set((metadata.sectorIdentifierURI.map { [$0] } ?? redirectURIs).map(Self.host(of:)))
        return hosts.count == 1 ? hosts.first.flatMap { $0.isEmpty ? nil : $0 } : nil
    }

    /// The host of a URL of http or https, in lower case; empty for other URIs.
    package static func host(of url: String) -> String {
        guard let scheme = ["https://", "http://"].first(where: url.lowercased().hasPrefix) else { return "" }
        let authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { return "" }
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return authority[...end].lowercased() }
        return authority.prefix { $0 != ":" }.lowercased()
    }
}

extension IdentityProvider {
    /// The `sub` of a person in what a client is given. It stays the same in every cloud of the same seed, so that policies can name it.
    package func subject(of person: Person, for client: Client) -> String {
        guard client.metadata.subjectType == .pairwise else { return person.subject }
        return SHA256.hash("pairwise \(name) \(client.sector ?? client.id) \(person.subject)").base64url
    }

    /// Whom a client means by a `sub`.
    package func person(subject: String, for client: Client) -> Person? { people.first { self.subject(of: $0, for: client) == subject } }
}
