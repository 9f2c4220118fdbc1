import SQLite
import WireFormats

/// The table `mobile_rows`, with access by primary key: the rows of the Database Access API. The empty key stores the definition of a
/// table;
/// keys of rows begin with a slash.
enum MobileRows {
    static let find = "SELECT document FROM mobile_rows WHERE table_name = ?1 AND row_key = ?2"
    static let all = "SELECT document FROM mobile_rows WHERE table_name = ?1 AND row_key > '' ORDER BY row_key"
    static let put = """
        INSERT INTO mobile_rows (table_name, row_key, document) VALUES (?1, ?2, ?3)
        ON CONFLICT (table_name, row_key) DO UPDATE SET document = excluded.document
        """
    static let tables = "SELECT table_name, document FROM mobile_rows WHERE row_key = '' ORDER BY table_name"
    static let drop = "DELETE FROM mobile_rows WHERE table_name = ?1"
    static let delete = "DELETE FROM mobile_rows WHERE table_name = ?1 AND row_key = ?2"

    /// Returns the definition of a table.
    /// - Throws: ``MobileTableError/noSuchTable``
    static func table(_ name: String, in connection: Connection) throws -> MobileTable {
        guard let table = try findTable(name, in: connection) else { throw MobileTableError.noSuchTable }
        return table
    }

    static func findTable(_ name: String, in connection: Connection) throws -> MobileTable? {
        try document("", of: name, in: connection).flatMap { MobileTable(json: $0) }
    }

    static func tables(in connection: Connection) throws -> [MobileTables.Named] {
        try connection.all(tables) { row in
            try MobileTable(json: JSONValue(parsing: row.text(1))).map { MobileTables.Named(name: row.text(0), table: $0) }
        }.compactMap { $0 }
    }

    /// Removes a table with its rows.
    static func drop(_ table: String, in connection: Connection) throws { try connection.run(drop, .text(table)) }

    static func put(_ table: MobileTable, named name: String, in connection: Connection) throws {
        try connection.run(put, .text(name), .text(""), .text(table.json.serialized()))
    }

    static func find(_ key: String, of table: String, in connection: Connection) throws -> JSONObject? {
        try document(key, of: table, in: connection)?.objectValue
    }

    static func all(of table: String, in connection: Connection) throws -> [JSONObject] {
        try connection.all(all, .text(table)) { try JSONValue(parsing: $0.text(0)).objectValue ?? [:] }
    }

    static func put(_ row: JSONObject, key: String, of table: String, in connection: Connection) throws {
        try connection.run(put, .text(table), .text(key), .text(JSONValue.object(row).serialized()))
    }

    static func delete(_ key: String, of table: String, in connection: Connection) throws {
        try connection.run(delete, .text(table), .text(key))
    }

    private static func document(_ key: String, of table: String, in connection: Connection) throws -> JSONValue? {
        try connection.first(find, .text(table), .text(key)) { try JSONValue(parsing: $0.text(0)) }
    }
}
