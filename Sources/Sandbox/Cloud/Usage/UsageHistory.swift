package import WireFormats

/// How many decisions of policies were made when, by the sandbox's clock.
///
/// It counts by the minute. When there are more intervals with decisions than it keeps, it counts by the hour, then by the day, and so on:
/// no decision is forgotten, and the clock of a sandbox may stand anywhere.
package struct UsageHistory: Sendable {
    /// The decisions of one interval.
    package struct Interval: Hashable, Sendable {
        /// When the interval begins.
        package var start: Timestamp
        /// The number of decisions that allowed.
        package var allowed: Int
        /// The number of decisions that denied.
        package var denied: Int
    }

    /// The most intervals with decisions.
    package static let mostIntervals = 720
    /// The lengths of intervals in seconds: a minute, an hour, a day, thirty days, and more than there is time.
    private static let steps: [Int64] = [60, 3_600, 86_400, 2_592_000, 1 << 40]

    private var level = 0
    private var counts: [Int64: (allowed: Int, denied: Int)] = [:]

    package init() {}

    /// The length of an interval in seconds.
    package var step: Int64 { Self.steps[level] }

    /// The intervals with decisions, the first one first.
    package var intervals: [Interval] {
        counts.sorted { $0.key < $1.key }.map { number, count in
            Interval(start: Timestamp(seconds: number * step), allowed: count.allowed, denied: count.denied)
        }
    }

    /// Counts a decision.
    package mutating func count(_ isAllowed: Bool, at time: Timestamp) {
        add(isAllowed ? (1, 0) : (0, 1), in: Self.interval(of: time.seconds, step))
        while counts.count > Self.mostIntervals, level < Self.steps.count - 1 { coarsen() }
    }

    /// Returns the number of the interval with a moment.
    private static func interval(of seconds: Int64, _ step: Int64) -> Int64 { seconds / step - (seconds % step < 0 ? 1 : 0) }

    private mutating func add(_ count: (allowed: Int, denied: Int), in number: Int64) {
        let known = counts[number] ?? (0, 0)
        counts[number] = (known.allowed + count.allowed, known.denied + count.denied)
    }

    private mutating func coarsen() {
        let (old, oldStep) = (counts, step)
        counts = [:]
        level += 1
        for (number, count) in old { add(count, in: Self.interval(of: number * oldStep, step)) }
    }
}
