import SQLite
import WireFormats

/// The table `grants`. Queries use its primary key; revocations use `grants_by_person` and `grants_by_family`.
enum GrantRecords {
    static let insert = """
        INSERT OR REPLACE INTO grants (token_hash, provider, kind, client, person, issued, expires, document, family)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """
    static let find = "SELECT provider, kind, client, person, issued, expires, document, family FROM grants WHERE token_hash = ?1"
    static let delete = "DELETE FROM grants WHERE token_hash = ?1"
    static let deleteOfPerson = "DELETE FROM grants WHERE provider = ?1 AND client = ?2 AND person = ?3"
    static let deleteOfClient = "DELETE FROM grants WHERE provider = ?1 AND client = ?2"
    static let deleteFamily = "DELETE FROM grants WHERE family = ?1 AND kind <> 'code'"
    // Offline access continues after the session ends (OpenID Connect Back-Channel Logout 1.0 section 2.7).
    static let deleteOfSession = """
        DELETE FROM grants WHERE provider = ?1 AND client = ?2 AND person = ?3 AND kind IN ('code', 'access', 'refresh')
            AND json_extract(document, '$.sid') = ?4
            AND ' ' || json_extract(document, '$.scope') || ' ' NOT LIKE '% offline_access %'
        """
    static let findSession =
        "SELECT provider, kind, client, person, issued, expires, document, family FROM grants WHERE \(browserSession)"
    static let deleteSession = "DELETE FROM grants WHERE \(browserSession)"
    private static let browserSession =
        "provider = ?1 AND client = '' AND person = ?2 AND kind = 'session' AND json_extract(document, '$.sid') = ?3"
    static let deleteAll = "DELETE FROM grants"
    // This uses the index grants_by_expiry.
    static let deleteSomeExpired = """
        DELETE FROM grants WHERE token_hash IN (SELECT token_hash FROM grants WHERE expires < ?1 ORDER BY expires LIMIT 16)
        """

    static func insert(_ grant: Grant, hash: [UInt8], into connection: Connection) throws {
        try connection.run(
            insert, .blob(hash), .text(grant.provider), .text(grant.kind.rawValue), .text(grant.client), .text(grant.person),
            .integer(grant.issued.milliseconds), .integer(grant.expires.milliseconds),
            .text(JSONValue.object(grant.details).serialized()), Value(grant.family))
    }

    /// Deletes a few of the grants whose expiry is before `time`, the oldest first.
    static func deleteSome(expiredBefore time: Timestamp, in connection: Connection) throws {
        try connection.run(deleteSomeExpired, .integer(time.milliseconds))
    }

    static func find(hash: [UInt8], in connection: Connection) throws -> Grant? {
        try connection.first(find, .blob(hash), row: read) ?? nil
    }

    /// Returns and deletes the browser session of a person with a `sid`.
    static func takeSession(_ session: String, provider: String, person: String, in connection: Connection) throws -> Grant? {
        let grant = try connection.first(findSession, .text(provider), .text(person), .text(session), row: read) ?? nil
        try connection.run(deleteSession, .text(provider), .text(person), .text(session))
        return grant
    }

    private static func read(_ row: Row) throws -> Grant? {
        guard let kind = Grant.Kind(rawValue: row.text(1)) else { return nil }
        return Grant(
            kind: kind, provider: row.text(0), client: row.text(2), person: row.text(3),
            issued: Timestamp(milliseconds: row.integer(4)), expires: Timestamp(milliseconds: row.integer(5)),
            details: try JSONValue(parsing: row.text(6)).objectValue ?? [:], family: row.optionalText(7))
    }

    static func delete(hash: [UInt8], in connection: Connection) throws {
        try connection.run(delete, .blob(hash))
    }

    static func delete(provider: String, client: String, person: String, in connection: Connection) throws {
        try connection.run(deleteOfPerson, .text(provider), .text(client), .text(person))
    }

    static func delete(provider: String, client: String, in connection: Connection) throws {
        try connection.run(deleteOfClient, .text(provider), .text(client))
    }

    static func delete(family: String, in connection: Connection) throws {
        try connection.run(deleteFamily, .text(family))
    }

    static func delete(session: String, provider: String, client: String, person: String, in connection: Connection) throws {
        try connection.run(deleteOfSession, .text(provider), .text(client), .text(person), .text(session))
    }
}
