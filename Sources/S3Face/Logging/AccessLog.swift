import Cloud
package import Logging
import ObjectStore
import Synchronization
import WireFormats

/// What the access logs of buckets have to tell and has not been delivered yet.
package final class AccessLog: Sendable {
    /// Where the records of one bucket go.
    struct Destination: Hashable, Sendable {
        var target: Bucket.ID
        var targetName: String
        var status: LoggingStatus
        var source: String
        /// The account that owns the bucket.
        var sourceAccount: String
        var sourceRegion: String
    }

    private struct State {
        var records: [Destination: [AccessLogRecord]] = [:]
        var count = 0
        var isFull = false
    }

    /// Records that wait at most; logs are kept as well as can be. (S3 User Guide, "Best-effort server log delivery".)
    private static let capacity = 100_000

    private let state = Mutex(State())
    private let logger: Logger

    /// - Parameter logger: gets the logs that could not be delivered.
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

    /// Everything that waits, which then waits no more.
    func take() -> [Destination: [AccessLogRecord]] {
        state.withLock { state in
            defer { state = State() }
            return state.records
        }
    }
}
