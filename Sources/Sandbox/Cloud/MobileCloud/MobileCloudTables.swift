import SQLite

/// The statements that empty the tables of what apps leave with the mobile cloud.
enum MobileCloudStatement: String, CaseIterable {
    case deleteDevices = "DELETE FROM mobile_devices"
    case deleteEvents = "DELETE FROM mobile_events"
    case deleteNotifications = "DELETE FROM mobile_notifications"
    case deleteRows = "DELETE FROM mobile_rows"
}

/// The tables of what apps leave with the mobile cloud: devices, events, notifications, and the rows of the database API.
enum MobileCloudTables {
    static func empty(in connection: Connection) throws {
        for statement in MobileCloudStatement.allCases { try connection.run(statement.rawValue) }
    }
}
