import SQLite

/// The statements on what the clock was told.
enum AgeStatement: String, CaseIterable {
    case insert = "INSERT INTO ages (declared, seconds) VALUES (?1, ?2)"
    case all = "SELECT declared, seconds FROM ages ORDER BY rowid"
    case deleteAll = "DELETE FROM ages"
}

/// The table `ages`: what the clock was told, so that a sandbox stays aged after a restart. Read whole, once.
enum AgeRecords {
    static func insert(_ age: SandboxClock.Age, into connection: Connection) throws {
        try connection.run(AgeStatement.insert.rawValue, .integer(age.declared), .integer(age.seconds))
    }

    static func all(in connection: Connection) throws -> [SandboxClock.Age] {
        try connection.all(AgeStatement.all.rawValue) { row in SandboxClock.Age(declared: row.integer(0), seconds: row.integer(1)) }
    }
}
