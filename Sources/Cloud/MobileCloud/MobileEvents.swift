import ObjectStore
import SQLite
package import WireFormats

/// An event of an app's analytics, as it was sent.
package struct MobileEvent: Hashable, Sendable {
    /// Counts the events that arrive; given by the store.
    package internal(set) var number: Int64 = 0
    /// ``MobileBackend/id``
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

/// The events that apps sent to the analytics of their backends; the newest ``limit`` are kept.
package struct MobileEvents: Sendable {
    let database: Database

    /// How many events are kept.
    package static let limit: Int64 = 10_000

    /// Keeps a batch as a whole.
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

    /// The newest events of one backend or of all, newest first.
    /// - Parameter limit: how many at most.
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
