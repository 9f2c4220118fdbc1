import Fixtures
import SQLite
import Testing

@testable import ObjectStore

@Suite("The inspection of a file from outside")
struct InspectionTests {
    /// Calls `body` with the file of an empty sandbox after a script has changed it.
    private func withFile(_ script: String = "", _ body: (FrozenDatabase) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let database = try Database(folder: folder + "/origin")
            let frozen = try await database.copy(to: folder + "/frozen")
            await database.close()
            if !script.isEmpty { try Connection(path: frozen.path).execute(script) }
            try body(frozen)
        }
    }

    @Test("accepts a file of this program, and does not change it")
    func own() async throws {
        try await withFile { file in
            let size = file.size
            try file.inspect()
            try file.inspect()
            #expect(file.size == size)
        }
    }

    @Test("accepts a file of each earlier version")
    func earlier() async throws {
        for version in 1...Schema.cloud.migrations.count {
            try await withTemporaryFolder { folder in
                let schema = Schema(
                    applicationID: Schema.cloud.applicationID, migrations: Array(Schema.cloud.migrations.prefix(version)))
                let file = FrozenDatabase(path: folder + "/file")
                try schema.migrate(Connection(path: file.path))
                try file.inspect()
            }
        }
    }

    @Test("knows the range of each integer column")
    func ranges() throws {
        let connection = try Connection(path: ":memory:")
        try Schema.cloud.migrate(connection)
        let columns = try connection.all(
            """
            SELECT tables.name, columns.name FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND columns.type = 'INTEGER'
            """
        ) { ($0.text(0), $0.text(1)) }
        #expect(columns.count > 30)
        for (table, column) in columns { #expect(StoredRanges.byTable[table]?[column] != nil, "\(table).\(column)") }
    }

    @Test(
        "rejects rows that no sandbox has",
        arguments: [
            ("ages", "INSERT INTO ages VALUES (0, -1)"), ("ages", "INSERT INTO ages VALUES (9223372036854775807, 1)"),
            ("ages", "INSERT INTO ages(rowid, declared, seconds) VALUES (-9223372036854775808, 0, 1)"),
            ("bodies", "INSERT INTO bodies VALUES (9223372036854775807, x'00')"),
            ("contents", "INSERT INTO contents VALUES (9223372036854775807, 0)"),
            ("pieces", "INSERT INTO pieces VALUES (-1, x'00')"),
            ("pieces", "INSERT INTO segments(body, number, content, size) VALUES (1, 1, 1, 1)"),
            ("mobile_events", "INSERT INTO mobile_events VALUES (9223372036854775807, 'b', 0, '{}')"),
            ("sqlite_sequence", "INSERT INTO sqlite_sequence VALUES ('buckets', 'many')"),
            ("records", #"INSERT INTO records VALUES ('role', 'r', '{"maximumSessionDuration":9223372036854775807}')"#),
        ])
    func rows(_ table: String, _ script: String) async throws {
        try await withFile(script) { file in
            #expect(throws: StorageError.otherRows(table: table)) { try file.inspect() }
        }
    }

    @Test(
        "rejects another schema",
        arguments: [
            "CREATE TABLE more(x)", "CREATE VIEW more AS SELECT 1", "CREATE INDEX more ON ages(seconds)", "DROP TABLE ages",
            "DROP TABLE ages; CREATE VIEW ages AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS declared FROM n",
            "CREATE TRIGGER t AFTER INSERT ON ages BEGIN DELETE FROM ages; END",
        ])
    func schemas(_ script: String) async throws {
        try await withFile(script) { file in
            #expect(throws: StorageError.otherTables(path: file.path, version: Int(Schema.cloud.migrations.count))) {
                try file.inspect()
            }
        }
    }

    @Test("rejects an empty database")
    func empty() async throws {
        try await withTemporaryFolder { folder in
            let file = FrozenDatabase(path: folder + "/file")
            try Connection(path: file.path).execute("PRAGMA user_version = 0; VACUUM")
            #expect(throws: StorageError.foreignFile(path: file.path)) { try file.inspect() }
        }
    }
}
