import Cloud
package import Logging
package import ObjectStore
package import Policy
import Synchronization
package import WireFormats

/// The lines of buckets' access logs that wait for delivery.
package final class AccessLog: Sendable {
    /// One request, in the format of the service that logs it.
    package struct Line: Hashable, Sendable {
        /// The time of the request, by the sandbox's clock.
        package var time: Timestamp
        /// The line without its end.
        package var text: String

        package init(time: Timestamp, text: String) {
            self.time = time
            self.text = text
        }
    }

    /// The destination of one bucket's lines.
    package struct Destination: Hashable, Sendable {
        /// How log objects are named.
        package enum Naming: Hashable, Sendable {
            /// Prefix, time of delivery and a unique string. (S3 User Guide, "Log object key format".)
            case simple
            /// With account, region, bucket and date: `EventTime`, `DeliveryTime`, or neither of them.
            case partitioned(dateSource: String?)
            /// Prefix, source bucket, time of delivery in China and a unique string. (OSS User Guide, "Logging".)
            case oss
        }

        /// The bucket that receives the log objects.
        package var target: Bucket.ID
        /// The name of that bucket.
        package var targetName: String
        /// The prefix of the keys of log objects.
        package var prefix: String
        /// How log objects are named.
        package var naming: Naming
        /// The grants of log objects.
        package var grants: [AccessControlList.Grant]
        /// The bucket that is logged.
        package var source: String
        /// The owner of the logged bucket.
        package var sourceAccount: String
        /// The region of the logged bucket.
        package var sourceRegion: String

        /// - Parameters:
        ///   - target: the bucket that receives the log objects.
        ///   - source: the logged bucket, as visible in the service that logs.
        package init(
            _ target: Bucket, prefix: String, naming: Naming, grants: [AccessControlList.Grant] = [], of source: Bucket
        ) {
            self.target = target.id
            targetName = target.name
            self.prefix = prefix
            self.naming = naming
            self.grants = grants
            self.source = source.name
            sourceAccount = source.account
            sourceRegion = source.regionName
        }

        /// The cloud that delivers.
        package var vendor: Vendor { naming == .oss ? .alibaba : .aws }
    }

    private struct State {
        var lines: [Destination: [Line]] = [:]
        var count = 0
        var isFull = false
    }

    /// The maximum number of waiting lines; delivery is best effort. (S3 User Guide, "Best-effort server log delivery".)
    private static let capacity = 100_000

    private let state = Mutex(State())
    private let logger: Logger

    /// - Parameter logger: receives a warning when lines are dropped.
    package init(logger: Logger) { self.logger = logger }

    /// Adds a line. It is dropped if too many lines are waiting.
    package func append(_ line: Line, to destination: Destination) {
        let becomesFull = state.withLock { state in
            guard state.count < Self.capacity else {
                defer { state.isFull = true }
                return !state.isFull
            }
            state.count += 1
            state.lines[destination, default: []].append(line)
            return false
        }
        if becomesFull { logger.warning("Access log records are dropped: too many are waiting for delivery") }
    }

    /// Removes and returns all waiting lines.
    func take() -> [Destination: [Line]] {
        state.withLock { state in
            defer { state = State() }
            return state.lines
        }
    }
}
