import Cryptography
import WireFormats

/// The kinds of subject identifiers (OpenID Connect Core 1.0 section 8).
package enum SubjectType: String, Sendable, Codable {
    /// The same identifier for all clients.
    case `public`
    /// A different identifier for each sector, so that clients of different sectors cannot correlate a person.
    case pairwise
}

extension Client {
    /// The sector of pairwise identifiers (section 8.1): the host of `sector_identifier_uri`, or else the host that all redirect URIs
    /// share.
    /// `nil` if there are several hosts, or none.
    package var sector: String? {
        let hosts = Set((metadata.sectorIdentifierURI.map { [$0] } ?? redirectURIs).map(Self.host(of:)))
        return hosts.count == 1 ? hosts.first.flatMap { $0.isEmpty ? nil : $0 } : nil
    }

    /// Returns the host of an http or https URL, in lower case; empty for other URIs.
    package static func host(of url: String) -> String {
        guard let scheme = ["https://", "http://"].first(where: url.lowercased().hasPrefix) else { return "" }
        let authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { return "" }
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return authority[...end].lowercased() }
        return authority.prefix { $0 != ":" }.lowercased()
    }
}

extension IdentityProvider {
    /// Returns the `sub` of a person for a client. It is the same in every cloud with the same seed, so that policies can name it.
    package func subject(of person: Person, for client: Client) -> String {
        guard client.metadata.subjectType == .pairwise else { return person.subject }
        return SHA256.hash("pairwise \(name) \(client.sector ?? client.id) \(person.subject)").base64url
    }

    /// Returns the person whom a client identifies by a `sub`.
    package func person(subject: String, for client: Client) -> Person? {
        guard client.metadata.subjectType == .pairwise else { return people.first(.subject(TextKey(subject))) }
        return people.first { self.subject(of: $0, for: client) == subject }
    }
}

extension Person {
    /// The number by which GitHub's API knows the person: the subject, or a number derived from it if it is none. It is the same in every
    /// cloud with the same seed, and fits into 32 bits in the latter case.
    package var gitHubID: Int64 {
        if let number = Int64(digits: subject) { return number }
        let hash = SHA256.hash("github \(subject)").prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return 100_000_000 + Int64(hash % 2_000_000_000)
    }
}
