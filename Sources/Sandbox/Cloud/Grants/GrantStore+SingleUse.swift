import Cryptography
import ObjectStore
import SQLite
package import WireFormats

extension GrantStore {
    /// The result of using a text of a login that can be used once.
    package enum Use: Sendable {
        /// Neither the text nor the proof was used before. Both are recorded.
        case first
        /// The text was used before.
        case again
        /// The proof of the request was used before.
        case proofAgain
        /// The login has ended, because one of its texts was used twice.
        case ended
    }

    /// How long a second use is taken for that of a client which has refreshed the same login at the same time: SDKs share their cache of tokens
    /// without a lock. It is refused, and does not end the login.
    package static let leeway = Duration.seconds(60)

    /// The records stand beside the grants under a name that no identity provider can have.
    private static let service = "aws/signin"

    /// Uses up a text of a login, together with the proof of the request, in one transaction. Unlike ``UsedIdentifiers``, the records survive
    /// the closing of the sandbox, and copies of the sandbox have them. A later use of a code or a refresh token ends the login (RFC 6749
    /// section 4.1.2, RFC 9700 section 4.14.2), unless it is within the ``leeway``.
    /// - Parameters:
    ///   - text: the identifier of the text.
    ///   - proof: identifies the proof, together with its key.
    ///   - family: what the texts of a login have in common; empty if they have nothing.
    ///   - end: when the login ends at the latest.
    /// - Throws: an error of the database.
    package func use(_ text: String, proof: String, family: String, until end: Timestamp) async throws -> Use {
        let now = clock.now
        let record = Grant(
            kind: .code, provider: Self.service, client: "", person: "", issued: now, expires: end, details: ["spent": true])
        func hash(_ kind: String, _ name: String) -> [UInt8] { SHA256.hash("\(Self.service) \(kind) \(name)") }
        let (used, proved, ended) = (hash("text", text), hash("proof", proof), hash("end", family))
        let hasFamily = !family.utf8.isEmpty
        return try await database.write { [clock] connection -> Use in
            if hasFamily, try GrantRecords.find(hash: ended, in: connection) != nil { return .ended }
            if let first = try GrantRecords.find(hash: used, in: connection) {
                if hasFamily, clock.hasExpired(first.issued + Self.leeway, issuedAt: first.issued) {
                    try GrantRecords.insert(record, hash: ended, into: connection)
                }
                return .again
            }
            guard try GrantRecords.find(hash: proved, in: connection) == nil else { return .proofAgain }
            try GrantRecords.deleteSome(expiredBefore: now - GrantIssuer.retention, in: connection)
            try GrantRecords.insert(record, hash: used, into: connection)
            try GrantRecords.insert(record, hash: proved, into: connection)
            return .first
        }
    }
}
