import SQLite
import Testing

@Suite("A schema")
struct SchemaTests {
    let connection: Connection
    let first = "CREATE TABLE one(id INTEGER PRIMARY KEY) STRICT; INSERT INTO one VALUES (1)"
    let second = "ALTER TABLE one ADD COLUMN name TEXT; CREATE TABLE two(id INTEGER PRIMARY KEY) STRICT"

    init() throws { connection = try Connection(path: ":memory:") }

    @Test("applies its migrations to an empty file, each once")
    func fromNothing() throws {
        let schema = Schema(applicationID: 77, migrations: [first, second])
        try schema.migrate(connection)
        try schema.migrate(connection)
        #expect(try connection.first("PRAGMA user_version") { $0.integer(0) } == 2)
        #expect(try connection.first("PRAGMA application_id") { $0.integer(0) } == 77)
        #expect(try connection.first("SELECT count(*) FROM one") { $0.integer(0) } == 1)
    }

    @Test("applies the migrations that an older file lacks")
    func upgrade() throws {
        try Schema(applicationID: 77, migrations: [first]).migrate(connection)
        try Schema(applicationID: 77, migrations: [first, second]).migrate(connection)
        #expect(try connection.first("SELECT count(*) FROM two") { $0.integer(0) } == 0)
    }

    @Test("refuses a file of a newer program")
    func newer() throws {
        try Schema(applicationID: 77, migrations: [first, second]).migrate(connection)
        #expect(throws: SchemaError.otherVersion(found: 2, known: 1)) {
            try Schema(applicationID: 77, migrations: [first]).migrate(connection)
        }
    }

    @Test("refuses an unknown version", arguments: [-1, 0, 99])
    func unknownVersion(_ version: Int64) throws {
        let schema = Schema(applicationID: 77, migrations: [first])
        try schema.migrate(connection)
        try connection.execute("PRAGMA user_version = \(version)")
        #expect(throws: SchemaError.otherVersion(found: version, known: 1)) { try schema.migrate(connection) }
    }

    @Test("refuses an older file that lacks tables or columns of its version, and does not change it")
    func otherTables() throws {
        for altered in ["DROP TABLE one", "ALTER TABLE one RENAME COLUMN id TO number"] {
            let connection = try Connection(path: ":memory:")
            try Schema(applicationID: 77, migrations: [first]).migrate(connection)
            try connection.execute(altered)
            let before = try connection.all("SELECT sql FROM sqlite_schema") { $0.text(0) }
            #expect(throws: SchemaError.otherTables(version: 1)) {
                try Schema(applicationID: 77, migrations: [first, second]).migrate(connection)
            }
            #expect(try connection.first("PRAGMA user_version") { $0.integer(0) } == 1)
            #expect(try connection.all("SELECT sql FROM sqlite_schema") { $0.text(0) } == before)
        }
    }

    @Test("upgrades an older file that has further tables")
    func furtherTables() throws {
        try Schema(applicationID: 77, migrations: [first]).migrate(connection)
        try connection.execute("CREATE TABLE further(id)")
        try Schema(applicationID: 77, migrations: [first, second]).migrate(connection)
        #expect(try connection.first("PRAGMA user_version") { $0.integer(0) } == 2)
    }

    @Test("refuses a file of another program and does not change it", arguments: ["", "PRAGMA application_id = 5"])
    func foreign(_ mark: String) throws {
        try connection.execute("CREATE TABLE theirs(id); \(mark)")
        #expect(throws: SchemaError.foreignFile) { try Schema(applicationID: 77, migrations: [first]).migrate(connection) }
        #expect(try connection.all("SELECT name FROM sqlite_schema") { $0.text(0) } == ["theirs"])
    }

    @Test("leaves the file unchanged if a migration fails")
    func failure() throws {
        let broken = "CREATE TABLE two(id INTEGER) STRICT; CREATE TABLE one(id INTEGER) STRICT"
        try Schema(applicationID: 77, migrations: [first]).migrate(connection)
        #expect(throws: SQLiteError.self) { try Schema(applicationID: 77, migrations: [first, broken]).migrate(connection) }
        #expect(try connection.first("PRAGMA user_version") { $0.integer(0) } == 1)
        #expect(try connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) } == ["one"])
    }
}
