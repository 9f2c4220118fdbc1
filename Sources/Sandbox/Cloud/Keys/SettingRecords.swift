import SQLite
import WireFormats

/// The statements on settings.
enum SettingStatement: String, CaseIterable {
    case upsert = """
        INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """
    case find = "SELECT value FROM settings WHERE name = ?1"
    case between = "SELECT value FROM settings WHERE name > ?1 AND name < ?2"
    case delete = "DELETE FROM settings WHERE name = ?1"
}

/// The table `settings`: what the sandbox generated for itself, by name.
enum SettingRecords {
    static func set(_ name: String, to value: [UInt8], in connection: Connection) throws {
        try connection.run(SettingStatement.upsert.rawValue, .text(name), .blob(value))
    }

    static func value(_ name: String, in connection: Connection) throws -> [UInt8]? {
        try connection.first(SettingStatement.find.rawValue, .text(name)) { $0.blob(0) }
    }

    /// Returns the values of all names between two, in the order of the names.
    static func values(after first: String, before last: String, in connection: Connection) throws -> [[UInt8]] {
        try connection.all(SettingStatement.between.rawValue, .text(first), .text(last)) { $0.blob(0) }
    }

    static func remove(_ name: String, in connection: Connection) throws {
        try connection.run(SettingStatement.delete.rawValue, .text(name))
    }
}
