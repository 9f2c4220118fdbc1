package import WireFormats

/// Converts a number of lifecycle days to a time.
///
/// S3 adds the days and rounds up to the next midnight UTC: an object that was created at 10:30 on the 15th and expires after three days is
/// deleted at the beginning of the 19th. (S3 User Guide, "Lifecycle rules: based on an object's age".)
package struct LifecycleCalendar: Hashable, Sendable {
    /// The calendar of S3.
    package static let days = LifecycleCalendar(secondsPerDay: 86_400)

    /// The length of a day. With shorter days, tests wait less for a rule; such days are not rounded to midnight.
    package var secondsPerDay: Int64

    /// Creates a calendar.
    /// - Parameter secondsPerDay: at least one.
    package init(secondsPerDay: Int64) { self.secondsPerDay = secondsPerDay }

    /// The interval at which rules are applied. S3 applies them once a day.
    package var interval: Duration { .seconds(max(1, min(60, secondsPerDay / 5))) }

    /// Returns the time that is a number of days after a time.
    package func moment(_ days: Int64, after start: Timestamp) -> Timestamp {
        guard secondsPerDay == 86_400 else { return start + .seconds(days * secondsPerDay) }
        let length: Int64 = 86_400_000
        let passed = start.milliseconds / length - (start.milliseconds % length < 0 ? 1 : 0)
        return Timestamp(milliseconds: (passed + days + 1) * length)
    }
}
