package import WireFormats

/// The default retention of new objects in a bucket.
/// (S3 API Reference, PutObjectLockConfiguration, DefaultRetention.)
package struct DefaultRetention: Hashable, Sendable {
    /// The retention period.
    package enum Period: Hashable, Sendable {
        case days(Int)
        case years(Int)
    }

    /// A number that no period exceeds: a period has at most a hundred years.
    private static let longest = 100_000

    /// The retention mode.
    package var mode: ObjectLock.Mode
    /// The retention period.
    package var period: Period

    package init(mode: ObjectLock.Mode, period: Period) {
        self.mode = mode
        self.period = period
    }

    /// Whether the period is no longer than a period can be.
    package var isPossible: Bool {
        switch period {
        case .days(let number), .years(let number): 0...Self.longest ~= number
        }
    }

    /// Reads the stored text.
    init?(stored text: String) {
        let words = text.split(separator: " ")
        guard words.count == 3, let mode = ObjectLock.Mode(named: String(words[0])), let number = Int(words[1]) else { return nil }
        self.mode = mode
        switch words[2] {
        case "Days": period = .days(number)
        case "Years": period = .years(number)
        default: return nil
        }
        guard isPossible else { return nil }
    }

    /// The text to store, such as `GOVERNANCE 30 Days`.
    var stored: String {
        switch period {
        case .days(let number): "\(mode.name) \(number) Days"
        case .years(let number): "\(mode.name) \(number) Years"
        }
    }

    /// Returns the retention of an object that is written at `now`.
    package func retention(from now: Timestamp) -> ObjectLock.Retention {
        let days: Int =
            switch period {
            case .days(let number): number
            case .years(let number): number * 365
            }
        return ObjectLock.Retention(
            mode: mode, until: Timestamp(milliseconds: now.milliseconds + Int64(days) * 86_400_000), declared: now)
    }
}

extension Bucket {
    /// The default retention of new objects; `nil` in a bucket without Object Lock.
    package var defaultRetention: DefaultRetention? {
        guard configuration.hasObjectLock else { return nil }
        return configuration.defaultRetention
    }
}
