import SQLite

/// The table `settings`: values that the sandbox generated, by name.
enum SettingRecords {
    static let upsert = """
        INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """
    static let find = "SELECT value FROM settings WHERE name = ?1"

    static let delete = "DELETE FROM settings WHERE name = ?1"

    static func set(_ name: String, to value: [UInt8], in connection: Connection) throws {
        try connection.run(upsert, .text(name), .blob(value))
    }

    static func value(_ name: String, in connection: Connection) throws -> [UInt8]? {
        try connection.first(find, .text(name)) { $0.blob(0) }
    }

    static func remove(_ name: String, in connection: Connection) throws {
        try connection.run(delete, .text(name))
    }
}
