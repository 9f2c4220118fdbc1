import SQLite

/// The tables of data from mobile apps: devices, events, notifications, and the rows of the database API.
enum MobileCloudTables {
    static func empty(in connection: Connection) throws {
        for table in ["mobile_devices", "mobile_events", "mobile_notifications", "mobile_rows"] {
            try connection.run("DELETE FROM \(table)")
        }
    }
}
