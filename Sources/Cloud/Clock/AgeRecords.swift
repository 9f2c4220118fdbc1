import SQLite

/// The table `ages`: the declared ageings, so that a sandbox stays aged after a restart. It is read once, as a whole.
enum AgeRecords {
    static let insert = "INSERT INTO ages (declared, seconds) VALUES (?1, ?2)"
    static let all = "SELECT declared, seconds FROM ages ORDER BY rowid"
    static let deleteAll = "DELETE FROM ages"

    static func insert(_ age: SandboxClock.Age, into connection: Connection) throws {
        try connection.run(insert, .integer(age.declared), .integer(age.seconds))
    }

    static func all(in connection: Connection) throws -> [SandboxClock.Age] {
        try connection.all(all) { row in SandboxClock.Age(declared: row.integer(0), seconds: row.integer(1)) }
    }
}
