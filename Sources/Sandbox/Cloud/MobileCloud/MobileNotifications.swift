import ObjectStore
import SQLite
package import WireFormats

/// A notification that was requested, with its recipients.
package struct MobileNotification: Sendable {
    /// The number, which the service assigns.
    package var number: Int64
    /// The ``MobileBackend/id`` of the backend whose devices receive it.
    package var backend: String
    /// When it was created.
    package var created: Timestamp
    /// The request.
    package var order: JSONObject
    /// When it is sent; `nil` for immediately.
    package var sendOn: Timestamp?
    /// The number of recipient devices, by platform. Devices that registered later are not included.
    package var recipients: [String: Int]
}

/// The notifications that custom code requested. The newest ``limit`` are kept. They are not sent to any notification service.
package struct MobileNotifications: Sendable {
    let database: Database

    /// How many notifications are kept.
    static let limit: Int64 = 10_000

    /// Stores a notification.
    /// - Returns: the notification with its number.
    package func add(
        _ order: JSONObject, for backend: String, sendOn: Timestamp?, recipients: [String: Int], at time: Timestamp
    ) async throws -> MobileNotification {
        var notification = MobileNotification(
            number: 0, backend: backend, created: time, order: order, sendOn: sendOn, recipients: recipients)
        let document = notification.document.serialized()
        notification.number = try await database.write { connection in
            let number = (try connection.first(MobileNotificationStatement.last.rawValue) { $0.integer(0) } ?? 0) + 1
            try connection.run(
                MobileNotificationStatement.insert.rawValue, .integer(number), .text(backend), .integer(time.milliseconds), .text(document))
            try connection.run(MobileNotificationStatement.forgetOldest.rawValue, .integer(Self.limit))
            return number
        }
        return notification
    }

    /// Returns the notifications of a backend, in the order of their numbers.
    package func all(of backend: String) async throws -> [MobileNotification] {
        try await database.readInPool { connection in
            try connection.all(MobileNotificationStatement.all.rawValue, row: MobileNotificationRecords.read)
        }.filter { $0.backend == backend }
    }

    /// Returns the notification with a number, or `nil` if the backend has none.
    package func find(_ number: Int64, of backend: String) throws -> MobileNotification? {
        let found = try database.read { connection in
            try connection.first(MobileNotificationStatement.find.rawValue, .integer(number), row: MobileNotificationRecords.read)
        }
        return found?.backend == backend ? found : nil
    }

    /// Deletes a notification.
    /// - Returns: whether it existed.
    package func delete(_ number: Int64, of backend: String) async throws -> Bool {
        guard try find(number, of: backend) != nil else { return false }
        return try await database.write { try $0.run(MobileNotificationStatement.delete.rawValue, .integer(number)) } > 0
    }
}

/// The statements on notifications.
enum MobileNotificationStatement: String, CaseIterable {
    case insert = "INSERT INTO mobile_notifications (number, backend, created, document) VALUES (?1, ?2, ?3, ?4)"
    case forgetOldest =
        "DELETE FROM mobile_notifications WHERE number <= (SELECT max(number) FROM mobile_notifications) - ?1"
    case last = "SELECT number FROM mobile_notifications ORDER BY number DESC LIMIT 1"
    case find = "SELECT number, backend, created, document FROM mobile_notifications WHERE number = ?1"
    case all = "SELECT number, backend, created, document FROM mobile_notifications ORDER BY number"
    case delete = "DELETE FROM mobile_notifications WHERE number = ?1"
}

/// The table `mobile_notifications`, by its primary key; it is read whole by listings alone.
enum MobileNotificationRecords {
    static func read(_ row: Row) throws -> MobileNotification {
        let document = try JSONValue(parsing: row.text(3))
        let recipients = document["recipients"]?.objectValue ?? [:]
        return MobileNotification(
            number: row.integer(0), backend: row.text(1), created: Timestamp(milliseconds: row.integer(2)),
            order: document["order"]?.objectValue ?? [:],
            sendOn: document["sendOn"]?.integerValue.map { Timestamp(stored: $0) },
            recipients: Dictionary(recipients.members.map { ($0.name, Int($0.value.integerValue ?? 0)) }) { $1 })
    }
}

extension MobileNotification {
    fileprivate var document: JSONValue {
        [
            "order": .object(order), "sendOn": sendOn.map { .integer($0.milliseconds) } ?? .null,
            "recipients": .object(JSONObject(recipients.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })),
        ]
    }
}

extension Cloud {
    /// The notifications to devices of mobile backends.
    package var mobileNotifications: MobileNotifications { MobileNotifications(database: database) }
}
