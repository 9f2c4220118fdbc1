/// The schema of a database file: an ordered list of migrations, and an application ID that identifies our files.
///
/// `PRAGMA application_id` holds the application ID, `PRAGMA user_version` the number of migrations applied.
/// https://sqlite.org/pragma.html#pragma_application_id
package struct Schema: Sendable {
    /// A number that no other program uses for its files; not 0.
    package let applicationID: Int32
    /// SQL scripts. A published script never changes; new ones are appended.
    package let migrations: [String]

    package init(applicationID: Int32, migrations: [String]) {
        self.applicationID = applicationID
        self.migrations = migrations
    }

    /// Checks that the file is empty, or is ours, not newer than this program, and has the tables of its version. Changes nothing.
    package func check(_ connection: Connection) throws {
        let mark = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        let tables = try connection.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
        if mark == 0, version == 0, tables == 0 { return }
        guard mark == Int64(applicationID) else { throw SchemaError.foreignFile }
        guard (1...Int64(migrations.count)).contains(version) else {
            throw SchemaError.otherVersion(found: version, known: migrations.count)
        }
        if version < migrations.count { try checkTables(connection, version: Int(version)) }
    }

    /// Checks that an older file has the tables and columns of its version, on which the next migrations build. A program from before the
    /// first published version can have written others.
    private func checkTables(_ connection: Connection, version: Int) throws {
        let expected = try Connection(path: ":memory:")
        for migration in migrations.prefix(version) { try expected.execute(migration) }
        guard try Self.columns(of: connection).isSuperset(of: Self.columns(of: expected)) else {
            throw SchemaError.otherTables(version: version)
        }
    }

    private static func columns(of connection: Connection) throws -> Set<String> {
        Set(
            try connection.all(
                """
                SELECT tables.name || '.' || columns.name
                FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'
                """
            ) { $0.text(0) })
    }

    /// Checks that a file from outside has the tables and indexes of its version, each with the text that the migrations give it, and
    /// nothing else: neither a view nor a trigger, whose statements would run with ours. Changes nothing.
    /// - Returns: the names of the tables.
    package func checkExactly(_ connection: Connection) throws -> [String] {
        try check(connection)
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        guard version > 0 else { throw SchemaError.foreignFile }
        let expected = try Connection(path: ":memory:")
        for migration in migrations.prefix(Int(version)) { try expected.execute(migration) }
        let entries = try Self.entries(of: expected, limit: Int64.max)
        guard try Self.entries(of: connection, limit: Int64(entries.count) + 1) == entries else {
            throw SchemaError.otherTables(version: Int(version))
        }
        return entries.filter { $0.type == "table" }.map(\.name)
    }

    /// A row of `sqlite_schema`.
    private struct Entry: Equatable {
        var type: String
        var name: String
        var table: String
        /// The words of the text: versions of SQLite differ in white space.
        var words: [Substring]
    }

    private static func entries(of connection: Connection, limit: Int64) throws -> [Entry] {
        try connection.all(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name LIMIT ?1", .integer(limit)
        ) { row in
            Entry(type: row.text(0), name: row.text(1), table: row.text(2), words: row.text(3).split(whereSeparator: \.isWhitespace))
        }
    }

    /// Applies the migrations that the file lacks, each in its own transaction.
    package func migrate(_ connection: Connection) throws {
        try check(connection)
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        for (index, migration) in migrations.enumerated().dropFirst(Int(version)) {
            try connection.transaction {
                try connection.execute(migration)
                try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(index + 1)")
            }
        }
    }
}

/// Why a database file is rejected.
package enum SchemaError: Error, Hashable, Sendable {
    /// The file contains tables of another program.
    case foreignFile
    /// The file is ours but its version is not between 1 and `known`.
    case otherVersion(found: Int64, known: Int)
    /// The file is ours but lacks tables or columns of its version.
    case otherTables(version: Int)
}
