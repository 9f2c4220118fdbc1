import SQLite
import Testing

@Suite("A connection")
struct ConnectionTests {
    let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:")
        try connection.execute("CREATE TABLE things(id INTEGER PRIMARY KEY, name TEXT, weight REAL, body BLOB) STRICT")
    }

    @Test("returns every type of value as it was bound")
    func roundTrip() throws {
        let name = "na\u{0}me é"
        let body: [UInt8] = [0, 1, 255]
        try connection.run("INSERT INTO things VALUES (?1, ?2, ?3, ?4)", .integer(.max), .text(name), .real(1.5), .blob(body))
        let row = try connection.first("SELECT id, name, weight, body FROM things") { row in
            (row.integer(0), row.text(1), row.real(2), row.blob(3))
        }
        let found = try #require(row)
        #expect(found.0 == .max)
        #expect(Array(found.1.utf8) == Array(name.utf8))
        #expect(found.2 == 1.5)
        #expect(found.3 == body)
    }

    @Test("keeps texts apart that use the same memory one after the other")
    func passingTexts() throws {
        // Each text is new, so that it is likely to use the memory of the previous one.
        for round in 0..<3 {
            for number in 0..<300 {
                let text = ["SELECT", "'a text of its own'", "|| ", "'\(number)'"].joined(separator: " ")
                let found = try connection.first(text) { $0.text(0) }
                #expect(found == "a text of its own\(number)", "round \(round)")
            }
        }
    }

    @Test("distinguishes NULL from empty text and empty bytes")
    func emptyIsNotNull() throws {
        try connection.run("INSERT INTO things VALUES (1, ?1, NULL, ?2)", "", .blob([]))
        try connection.run("INSERT INTO things VALUES (2, ?1, NULL, ?2)", nil, nil)
        let rows = try connection.all("SELECT name, body, weight FROM things ORDER BY id") { row in
            [row.optionalText(0) == nil, row.isNull(1), row.isNull(2)]
        }
        #expect(rows == [[false, false, true], [true, true, true]])
    }

    @Test("binds bytes without copying them")
    func bytesInPlace() throws {
        let bytes = [UInt8](repeating: 7, count: 300_000)
        try bytes.withUnsafeBytes { _ = try connection.run("INSERT INTO things(id, body) VALUES (1, ?1)", .bytes($0)) }
        #expect(try connection.first("SELECT body FROM things") { $0.blob(0) } == bytes)
    }

    @Test("counts the rows that a statement changed")
    func changes() throws {
        for id in 1...3 { try connection.run("INSERT INTO things(id) VALUES (?1)", .integer(Int64(id))) }
        #expect(connection.lastInsertedRow == 3)
        #expect(try connection.run("UPDATE things SET name = 'x' WHERE id > ?1", 1) == 2)
        #expect(try connection.run("DELETE FROM things WHERE id = ?1", 9) == 0)
    }

    @Test("allows a statement to run inside itself")
    func reentrance() throws {
        for id in 1...3 { try connection.run("INSERT INTO things(id) VALUES (?1)", .integer(Int64(id))) }
        let text = "SELECT id FROM things ORDER BY id"
        let pairs = try connection.all(text) { outer in
            (outer.integer(0), try connection.all(text) { $0.integer(0) })
        }
        #expect(pairs.map(\.0) == [1, 2, 3])
        #expect(pairs.allSatisfy { $0.1 == [1, 2, 3] })
    }

    @Test("clears the values of the last execution")
    func clearedBindings() throws {
        let text = "SELECT ?1 IS NULL"
        #expect(try connection.first(text, "value") { $0.integer(0) } == 0)
        #expect(try connection.first(text) { $0.integer(0) } == 1)
    }

    @Test("can be used after an error, and after a row closure threw")
    func recovers() throws {
        struct Stop: Error {}
        try connection.run("INSERT INTO things(id) VALUES (1)")
        #expect(throws: Stop.self) { try connection.all("SELECT id FROM things") { _ -> Int in throw Stop() } }
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO things(id) VALUES (1)") }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT nothing FROM nowhere") }
        #expect(throws: SQLiteError.self) { try connection.run("") }
        #expect(try connection.all("SELECT id FROM things") { $0.integer(0) } == [1])
    }

    @Test("returns the kind of a violated constraint")
    func constraints() throws {
        try connection.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE children(parent INTEGER NOT NULL REFERENCES things(id), name TEXT UNIQUE) STRICT;
            INSERT INTO things(id) VALUES (1);
            INSERT INTO children VALUES (1, 'a');
            """)
        let orphan = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO children VALUES (2, 'b')") }
        #expect(orphan?.isForeignKeyViolation == true)
        let twin = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO children VALUES (1, 'a')") }
        #expect(twin?.code == 19)
        #expect(twin?.extendedCode == 2067)
        #expect(twin?.isForeignKeyViolation == false)
        let wrongType = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO children VALUES ('x', 'c')") }
        #expect(wrongType?.isForeignKeyViolation == false)
    }

    @Test("refuses a path that cannot be opened")
    func unopenable() {
        let error = #expect(throws: SQLiteError.self) { try Connection(path: "/nonexistent/folder/file") }
        #expect(error?.isAccessRefusal == true)
    }

    @Test("interrupts a statement at a deadline")
    func deadline() throws {
        let connection = try Connection(path: ":memory:")
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        #expect { try connection.withDeadline(ContinuousClock.now + .milliseconds(20)) { try connection.run(endless) } } throws: { error in
            (error as? SQLiteError)?.isInterruption ?? false
        }
        #expect(try connection.first("SELECT 1") { $0.integer(0) } == 1)
    }
}
