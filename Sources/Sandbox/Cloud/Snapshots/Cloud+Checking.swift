import FoundationEssentials
import ObjectStore
import SQLite
import WireFormats

/// The statements that read every document which is decoded when it is needed.
enum CheckStatement: String, CaseIterable {
    case grants = "SELECT document FROM grants"
    case mobileDevices = "SELECT document FROM mobile_devices"
    case mobileEvents = "SELECT document FROM mobile_events"
    case mobileNotifications = "SELECT document FROM mobile_notifications"
    case mobileRows = "SELECT document FROM mobile_rows"
}

extension Cloud {
    /// Decodes the records that opening a sandbox does not decode: signing keys, grants, and what apps left with the mobile cloud.
    ///
    /// A database of this process has only records that it can decode. One from outside can have others, with which each use of them would fail.
    /// - Throws: `JSONSyntaxError`, `DecodingError` or `CryptographyError.invalidKey` for a record that cannot be decoded,
    ///   `StorageError.otherRows` for one that no sandbox has, or an error of the database.
    package func checkRecords() async throws {
        try await database.write { connection in
            try Generation.checkRoom(in: connection)
            _ = try SigningKeyRing.allKeyIDs(in: connection)
            _ = try KnownKeys.add([], in: connection)
            for statement in CheckStatement.allCases {
                _ = try connection.all(statement.rawValue) { row in
                    switch statement {
                    case .mobileDevices: _ = try JSONDecoder().decode(MobileDevice.self, from: Data(row.text(0).utf8))
                    case .grants, .mobileEvents, .mobileNotifications, .mobileRows: _ = try JSONValue(parsing: row.text(0))
                    }
                }
            }
        }
    }
}
