import NIOCore
import Synchronization
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Counts the answered requests of the process by service, status class and duration.
///
/// Each thread counts in a part of its own, as far as there are enough, so that event loops do not wait for each other.
package final class RequestMetrics: Sendable {
    /// The upper bounds of the histogram's buckets, each with its label. A last bucket has no bound.
    static let bounds: [(duration: Duration, label: String)] = [
        (.microseconds(100), "0.0001"), (.microseconds(250), "0.00025"), (.microseconds(500), "0.0005"), (.milliseconds(1), "0.001"),
        (.microseconds(2500), "0.0025"), (.milliseconds(5), "0.005"), (.milliseconds(10), "0.01"), (.milliseconds(25), "0.025"),
        (.milliseconds(50), "0.05"), (.milliseconds(100), "0.1"), (.milliseconds(250), "0.25"), (.milliseconds(500), "0.5"),
        (.seconds(1), "1.0"), (.milliseconds(2500), "2.5"), (.seconds(10), "10.0"),
    ]

    /// The classes of statuses. The first one is for requests whose connection a rule of errors on demand has closed.
    static let classes = ["lost", "1xx", "2xx", "3xx", "4xx", "5xx"]

    private static let durations = bounds.map(\.duration)
    private static let buckets = bounds.count + 1

    /// The counts of one service.
    struct Counts {
        /// The requests, by class and then bucket; empty before the first one.
        private var requests: [UInt64] = []
        /// The sum of the durations.
        private(set) var duration = Duration.zero
        /// The sum of the declared lengths of request bodies.
        private(set) var received: UInt64 = 0
        /// The sum of the declared lengths of response bodies.
        private(set) var sent: UInt64 = 0

        fileprivate mutating func add(_ status: Int, _ duration: Duration, _ received: Int64, _ sent: Int64) {
            if requests.isEmpty { requests = [UInt64](repeating: 0, count: classes.count * buckets) }
            var bucket = 0
            while bucket < durations.count, duration > durations[bucket] { bucket += 1 }
            requests[min(max(status / 100, 0), classes.count - 1) * buckets + bucket] += 1
            self.duration += duration
            self.received &+= UInt64(max(received, 0))
            self.sent &+= UInt64(max(sent, 0))
        }

        fileprivate mutating func add(_ other: Counts) {
            guard !isEmpty else { return self = other }
            for index in other.requests.indices { requests[index] += other.requests[index] }
            duration += other.duration
            received &+= other.received
            sent &+= other.sent
        }

        /// Whether there was no request.
        var isEmpty: Bool { requests.isEmpty }

        /// The number of requests by class.
        var byClass: [UInt64] {
            RequestMetrics.classes.indices.map { index in
                requests[index * buckets..<(index + 1) * buckets].reduce(0, +)
            }
        }

        /// The number of requests in each bucket and those before it, as histograms have them.
        var cumulative: [UInt64] {
            var sum: UInt64 = 0
            return (0..<buckets).map { bucket in
                sum += RequestMetrics.classes.indices.reduce(0) { $0 + requests[$1 * buckets + bucket] }
                return sum
            }
        }
    }

    private final class Part: Sendable {
        /// The counts by service.
        let counts = Mutex([Counts](repeating: Counts(), count: MeteredService.allCases.count))
    }

    private let parts: [Part]

    init() {
        parts = (0..<max(4, min(2 * System.coreCount, 64))).map { _ in Part() }
    }

    /// Counts a request.
    /// - Parameters:
    ///   - status: the status of the response; 0 if there is none.
    ///   - received: the declared length of the request body.
    ///   - sent: the declared length of the response body.
    func record(_ service: MeteredService, status: Int, duration: Duration, received: Int64?, sent: Int64?) {
        parts[Self.threadNumber % parts.count].counts.withLock { counts in
            counts[service.rawValue].add(status, duration, received ?? 0, sent ?? 0)
        }
    }

    /// The counts of all services that have answered a request.
    var totals: [(service: MeteredService, counts: Counts)] {
        var totals = [Counts](repeating: Counts(), count: MeteredService.allCases.count)
        for part in parts {
            for (index, counts) in part.counts.withLock({ $0 }).enumerated() { totals[index].add(counts) }
        }
        return zip(MeteredService.allCases, totals).filter { !$1.isEmpty }
    }

    /// A number that differs between most threads, and is found without a system call.
    private static var threadNumber: Int {
        let identity = withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
        // Threads' descriptors are whole pages apart.
        return Int(truncatingIfNeeded: (identity >> 12) &* 0x9E37_79B9 >> 16 & 0xFFFF)
    }
}
