import SQLite
import WireFormats

/// The statements on the rows of the Database Access API.
enum MobileRowStatement: String, CaseIterable {
    case find = "SELECT document FROM mobile_rows WHERE table_name = ?1 AND row_key = ?2"
    case all = "SELECT document FROM mobile_rows WHERE table_name = ?1 AND row_key > '' ORDER BY row_key"
    case put = """
        INSERT INTO mobile_rows (table_name, row_key, document) VALUES (?1, ?2, ?3)
        ON CONFLICT (table_name, row_key) DO UPDATE SET document = excluded.document
        """
    case tables = "SELECT table_name, document FROM mobile_rows WHERE row_key = '' ORDER BY table_name"
    case drop = "DELETE FROM mobile_rows WHERE table_name = ?1"
    case delete = "DELETE FROM mobile_rows WHERE table_name = ?1 AND row_key = ?2"
}

/// The table `mobile_rows`, by its primary key: the rows of the Database Access API. Under the empty key stands what a table looks like; keys
/// of rows begin with a slash.
enum MobileRows {
    /// - Throws: ``MobileTableError/noSuchTable``
    static func table(_ name: String, in connection: Connection) throws -> MobileTable {
        guard let table = try findTable(name, in: connection) else { throw MobileTableError.noSuchTable }
        return table
    }

    static func findTable(_ name: String, in connection: Connection) throws -> MobileTable? {
        try document("", of: name, in: connection).flatMap { MobileTable(json: $0) }
    }

    static func tables(in connection: Connection) throws -> [MobileTables.Named] {
        try connection.all(MobileRowStatement.tables.rawValue) { row in
            try MobileTable(json: JSONValue(parsing: row.text(1))).map { MobileTables.Named(name: row.text(0), table: $0) }
        }.compactMap { $0 }
    }

    /// Removes a table with its rows.
    static func drop(_ table: String, in connection: Connection) throws {
        try connection.run(MobileRowStatement.drop.rawValue, .text(table))
    }

    static func put(_ table: MobileTable, named name: String, in connection: Connection) throws {
        try connection.run(MobileRowStatement.put.rawValue, .text(name), .text(""), .text(table.json.serialized()))
    }

    static func find(_ key: String, of table: String, in connection: Connection) throws -> JSONObject? {
        try document(key, of: table, in: connection)?.objectValue
    }

    static func all(of table: String, in connection: Connection) throws -> [JSONObject] {
        try connection.all(MobileRowStatement.all.rawValue, .text(table)) { try JSONValue(parsing: $0.text(0)).objectValue ?? [:] }
    }

    static func put(_ row: JSONObject, key: String, of table: String, in connection: Connection) throws {
        try connection.run(MobileRowStatement.put.rawValue, .text(table), .text(key), .text(JSONValue.object(row).serialized()))
    }

    static func delete(_ key: String, of table: String, in connection: Connection) throws {
        try connection.run(MobileRowStatement.delete.rawValue, .text(table), .text(key))
    }

    private static func document(_ key: String, of table: String, in connection: Connection) throws -> JSONValue? {
        try connection.first(MobileRowStatement.find.rawValue, .text(table), .text(key)) { try JSONValue(parsing: $0.text(0)) }
    }
}
