import ObjectStore
import SQLite
package import WireFormats

/// An analytics event of an app.
package struct MobileEvent: Hashable, Sendable {
    /// The number of the event, which the store assigns.
    package internal(set) var number: Int64 = 0
    /// The ``MobileBackend/id`` of the backend.
    package var backend: String
    /// When the event arrived.
    package var received: Timestamp
    /// The event as the app sent it.
    package var content: JSONObject

    package init(backend: String, received: Timestamp, content: JSONObject) {
        self.backend = backend
        self.received = received
        self.content = content
    }
}

/// The analytics events of the backends. The newest ``limit`` events are kept.
package struct MobileEvents: Sendable {
    let database: Database

    /// How many events are kept.
    package static let limit: Int64 = 10_000

    /// Stores a batch of events in one transaction.
    package func append(_ events: [MobileEvent]) async throws {
        try await database.write { connection in
            for event in events {
                try connection.run(
                    MobileEventStatement.append.rawValue, .text(event.backend), .integer(event.received.milliseconds),
                    .text(JSONValue.object(event.content).serialized()))
            }
            try connection.run(MobileEventStatement.forgetOldest.rawValue, .integer(Self.limit))
        }
    }

    /// Returns the newest events of one backend or of all, the newest first.
    /// - Parameter limit: the maximum number of events.
    package func newest(_ limit: Int, of backend: String? = nil) throws -> [MobileEvent] {
        try database.read { connection in
            try connection.all(MobileEventStatement.newest.rawValue, Value(backend), Value(limit)) { row in
                var event = MobileEvent(
                    backend: row.text(1), received: Timestamp(milliseconds: row.integer(2)),
                    content: try JSONValue(parsing: row.text(3)).objectValue ?? [:])
                event.number = row.integer(0)
                return event
            }
        }
    }
}

/// The table `mobile_events`.
enum MobileEventStatement: String, CaseIterable {
    case append = "INSERT INTO mobile_events(backend, received, document) VALUES (?1, ?2, ?3)"
    case forgetOldest = "DELETE FROM mobile_events WHERE number <= (SELECT max(number) FROM mobile_events) - ?1"
    // By primary key, from its end.
    case newest = """
        SELECT number, backend, received, document FROM mobile_events
        WHERE number < 9223372036854775807 AND (?1 IS NULL OR backend = ?1) ORDER BY number DESC LIMIT ?2
        """
}
