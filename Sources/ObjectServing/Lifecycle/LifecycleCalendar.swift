package import WireFormats

/// How a number of days becomes a moment.
///
/// S3 adds the days and rounds up to the next midnight of universal time; what was made at 10:30 on the 15th and stays three days
/// goes at the midnight that begins the 19th. (S3 User Guide, "Lifecycle rules: based on an object's age".)
package struct LifecycleCalendar: Hashable, Sendable {
    /// S3's own.
    package static let days = LifecycleCalendar(secondsPerDay: 86_400)

    /// Fewer for suites that wait for a rule to act; such a day ends where it began, at any time.
    package var secondsPerDay: Int64

    /// - Parameter secondsPerDay: at least one.
    package init(secondsPerDay: Int64) { self.secondsPerDay = secondsPerDay }

    /// How often rules are carried out. S3 does so once a day, at a time of its own.
    package var interval: Duration { .seconds(max(1, min(60, secondsPerDay / 5))) }

    /// When so many days after a time are over.
    package func moment(_ days: Int64, after start: Timestamp) -> Timestamp {
        guard secondsPerDay == 86_400 else { return start + .seconds(days * secondsPerDay) }
        let length: Int64 = 86_400_000
        let passed = start.milliseconds / length - (start.milliseconds % length < 0 ? 1 : 0)
        return Timestamp(milliseconds: (passed + days + 1) * length)
    }
}
