import SQLite
import WireFormats

/// The statements on grants.
enum GrantStatement: String, CaseIterable {
    case insert = """
        INSERT OR REPLACE INTO grants (token_hash, provider, kind, client, person, issued, expires, document, family)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """
    case find = "SELECT provider, kind, client, person, issued, expires, document, family FROM grants WHERE token_hash = ?1"
    case delete = "DELETE FROM grants WHERE token_hash = ?1"
    case deleteOfPerson = "DELETE FROM grants WHERE provider = ?1 AND client = ?2 AND person = ?3"
    case deleteOfClient = "DELETE FROM grants WHERE provider = ?1 AND client = ?2"
    case deleteRegistration = "DELETE FROM grants WHERE provider = ?1 AND client = ?2 AND person = '' AND kind = 'registration'"
    case deleteOfProvider = "DELETE FROM grants WHERE provider = ?1"
    // One pass over the grants of the provider, for any number of people.
    case deleteOfPeople = "DELETE FROM grants WHERE provider = ?1 AND person IN (SELECT value FROM json_each(?2))"
    // One pass over the sessions of the provider, for any number of clients.
    case leaveSessions = """
        UPDATE grants SET document = json_set(document, '$.participants', json((
            SELECT json_group_array(json(value)) FROM json_each(document, '$.participants')
            WHERE ifnull(json_extract(value, '$.client'), '') NOT IN (SELECT value FROM json_each(?2)))))
        WHERE provider = ?1 AND client = '' AND kind = 'session'
        """
    case deleteFamily = "DELETE FROM grants WHERE family = ?1 AND kind <> 'code'"
    // Grants with offline access outlive the session (OpenID Connect Back-Channel Logout 1.0 section 2.7).
    case deleteOfSession = """
        DELETE FROM grants WHERE provider = ?1 AND client = ?2 AND person = ?3 AND kind IN ('code', 'access', 'refresh')
            AND json_extract(document, '$.sid') = ?4
            AND ' ' || json_extract(document, '$.scope') || ' ' NOT LIKE '% offline_access %'
        """
    case findSession = """
        SELECT provider, kind, client, person, issued, expires, document, family FROM grants
        WHERE provider = ?1 AND client = '' AND person = ?2 AND kind = 'session' AND json_extract(document, '$.sid') = ?3
        """
    // By grants_by_person.
    case sessions = """
        SELECT provider, kind, client, person, issued, expires, document, family FROM grants
        WHERE provider = ?1 AND client = '' AND kind = 'session'
        """
    case deleteSession = """
        DELETE FROM grants
        WHERE provider = ?1 AND client = '' AND person = ?2 AND kind = 'session' AND json_extract(document, '$.sid') = ?3
        """
    case deleteAll = "DELETE FROM grants"
    // By grants_by_expiry.
    case deleteSomeExpired = """
        DELETE FROM grants WHERE token_hash IN (SELECT token_hash FROM grants WHERE expires < ?1 ORDER BY expires LIMIT 16)
        """
}

/// The table `grants`. Look-ups go by its primary key, the revocation of everything by `grants_by_person` and `grants_by_family`.
enum GrantRecords {
    static func insert(_ grant: Grant, hash: [UInt8], into connection: Connection) throws {
        try connection.run(
            GrantStatement.insert.rawValue, .blob(hash), .text(grant.provider), .text(grant.kind.rawValue), .text(grant.client),
            .text(grant.person),
            .integer(grant.issued.milliseconds), .integer(grant.expires.milliseconds),
            .text(JSONValue.object(grant.details).serialized()), Value(grant.family))
    }

    /// Deletes a few of the grants whose expiry is before `time`, the oldest first.
    static func deleteSome(expiredBefore time: Timestamp, in connection: Connection) throws {
        try connection.run(GrantStatement.deleteSomeExpired.rawValue, .integer(time.milliseconds))
    }

    static func find(hash: [UInt8], in connection: Connection) throws -> Grant? {
        try connection.first(GrantStatement.find.rawValue, .blob(hash), row: read) ?? nil
    }

    /// Returns and deletes the browser session of a person with a `sid`.
    static func takeSession(_ session: String, provider: String, person: String, in connection: Connection) throws -> Grant? {
        let grant =
            try connection.first(GrantStatement.findSession.rawValue, .text(provider), .text(person), .text(session), row: read) ?? nil
        try connection.run(GrantStatement.deleteSession.rawValue, .text(provider), .text(person), .text(session))
        return grant
    }

    /// Returns the browser sessions at a provider, also expired ones.
    static func sessions(provider: String, in connection: Connection) throws -> [Grant] {
        try connection.all(GrantStatement.sessions.rawValue, .text(provider), row: read).compactMap(\.self)
    }

    private static func read(_ row: Row) throws -> Grant? {
        guard let kind = Grant.Kind(rawValue: row.text(1)) else { return nil }
        return Grant(
            kind: kind, provider: row.text(0), client: row.text(2), person: row.text(3),
            issued: Timestamp(milliseconds: row.integer(4)), expires: Timestamp(milliseconds: row.integer(5)),
            details: try JSONValue(parsing: row.text(6)).objectValue ?? [:], family: row.optionalText(7))
    }

    static func delete(hash: [UInt8], in connection: Connection) throws {
        try connection.run(GrantStatement.delete.rawValue, .blob(hash))
    }

    static func delete(provider: String, client: String, person: String, in connection: Connection) throws {
        try connection.run(GrantStatement.deleteOfPerson.rawValue, .text(provider), .text(client), .text(person))
    }

    static func delete(provider: String, in connection: Connection) throws {
        try connection.run(GrantStatement.deleteOfProvider.rawValue, .text(provider))
    }

    /// Deletes the grants of clients, and removes the clients from the browser sessions that signed on to them.
    static func delete(provider: String, clients: [String], in connection: Connection) throws {
        for client in clients { try connection.run(GrantStatement.deleteOfClient.rawValue, .text(provider), .text(client)) }
        try connection.run(GrantStatement.leaveSessions.rawValue, .text(provider), .text(list(clients)))
    }

    /// Deletes the registration access tokens of clients.
    static func delete(provider: String, registrationsOf clients: [String], in connection: Connection) throws {
        for client in clients { try connection.run(GrantStatement.deleteRegistration.rawValue, .text(provider), .text(client)) }
    }

    /// Deletes the grants of people at all clients, and their browser sessions.
    static func delete(provider: String, people: [String], in connection: Connection) throws {
        try connection.run(GrantStatement.deleteOfPeople.rawValue, .text(provider), .text(list(people)))
    }

    private static func list(_ names: [String]) -> String { JSONValue.array(names.map { .string($0) }).serialized() }

    static func delete(family: String, in connection: Connection) throws {
        try connection.run(GrantStatement.deleteFamily.rawValue, .text(family))
    }

    static func delete(session: String, provider: String, client: String, person: String, in connection: Connection) throws {
        try connection.run(GrantStatement.deleteOfSession.rawValue, .text(provider), .text(client), .text(person), .text(session))
    }
}
