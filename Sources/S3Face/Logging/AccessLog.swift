import Cloud
package import Logging
import ObjectStore
import Synchronization
import WireFormats

/// The access log records of buckets that have not been delivered yet.
package final class AccessLog: Sendable {
    /// The target of the records of one bucket.
    struct Destination: Hashable, Sendable {
        var target: Bucket.ID
        var targetName: String
        var status: LoggingStatus
        var source: String
        /// The account that owns the source bucket.
        var sourceAccount: String
        var sourceRegion: String
    }

    private struct State {
        var records: [Destination: [AccessLogRecord]] = [:]
        var count = 0
        var isFull = false
    }

    /// The maximum number of pending records; further ones are dropped. (S3 User Guide, "Best-effort server log delivery".)
    private static let capacity = 100_000

    private let state = Mutex(State())
    private let logger: Logger

    /// Creates a log without records.
    /// - Parameter logger: receives a warning when records are dropped.
    package init(logger: Logger) { self.logger = logger }

    func append(_ record: AccessLogRecord, to destination: Destination) {
        let becomesFull = state.withLock { state in
            guard state.count < Self.capacity else {
                defer { state.isFull = true }
                return !state.isFull
            }
            state.count += 1
            state.records[destination, default: []].append(record)
            return false
        }
        if becomesFull { logger.warning("Access log records are dropped: too many are waiting for delivery") }
    }

    /// Removes and returns all pending records.
    func take() -> [Destination: [AccessLogRecord]] {
        state.withLock { state in
            defer { state = State() }
            return state.records
        }
    }
}
