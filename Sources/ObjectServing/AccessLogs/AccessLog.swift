import Cloud
package import Logging
package import ObjectStore
package import Policy
import Synchronization
package import WireFormats

/// The lines of the access logs of buckets that wait for delivery.
package final class AccessLog: Sendable {
    /// One request, in the format of the door that logs it.
    package struct Line: Hashable, Sendable {
        /// When the request came, by the sandbox's clock.
        package var time: Timestamp
        /// Without the end of the line.
        package var text: String

        package init(time: Timestamp, text: String) {
            self.time = time
            self.text = text
        }
    }

    /// Where the lines of one bucket go.
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

        /// The bucket that takes the log objects.
        package var target: Bucket.ID
        /// Its name.
        package var targetName: String
        /// How the keys of log objects begin.
        package var prefix: String
        /// How log objects are named.
        package var naming: Naming
        /// The grants of log objects.
        package var grants: [AccessControlList.Grant]
        /// The bucket that is logged.
        package var source: String
        /// The account that owns it.
        package var sourceAccount: String
        /// The region that it is in.
        package var sourceRegion: String

        /// - Parameters:
        ///   - target: the bucket that takes the log objects.
        ///   - source: the bucket that is logged, as the logging door shows it.
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

    /// Lines that wait at most; delivery is best effort. (S3 User Guide, "Best-effort server log delivery".)
    private static let capacity = 100_000

    private let state = Mutex(State())
    private let logger: Logger

    /// - Parameter logger: gets a warning when lines are dropped.
    package init(logger: Logger) { self.logger = logger }

    /// Adds a line, unless too many wait already.
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

    /// Removes and returns all lines that wait.
    func take() -> [Destination: [Line]] {
        state.withLock { state in
            defer { state = State() }
            return state.lines
        }
    }
}
