import Cloud
public import FoundationEssentials
import WireFormats

/// A change of a cloud's time.
public struct ClockSetting: Sendable {
    /// A time as it was given.
    enum Moment: Sendable {
        case date(Date)
        case text(String)
    }

    enum Change: Sendable {
        case freeze(Moment?)
        case set(Moment)
        case age(Duration)
        case resume
    }

    let change: Change

    /// Time stops now.
    public static let frozen = ClockSetting(change: .freeze(nil))

    /// Real time.
    public static let resumed = ClockSetting(change: .resume)

    /// Time stops at a date.
    public static func frozen(_ date: Date) -> ClockSetting { ClockSetting(change: .freeze(.date(date))) }

    /// Time stops at a date in ISO 8601, such as `2026-01-01T00:00:00Z`.
    public static func frozen(_ date: String) -> ClockSetting { ClockSetting(change: .freeze(.text(date))) }

    /// Time continues from a date.
    public static func set(_ date: Date) -> ClockSetting { ClockSetting(change: .set(.date(date))) }

    /// Time continues from a date in ISO 8601, such as `2026-01-01T00:00:00Z`.
    public static func set(_ date: String) -> ClockSetting { ClockSetting(change: .set(.text(date))) }

    /// Everything that was issued so far is older by a duration.
    public static func aged(_ duration: Duration) -> ClockSetting { ClockSetting(change: .age(duration)) }
}

extension ClockSetting.Moment {
    /// - Throws: ``CloudError`` with the code `invalidArgument`.
    func timestamp() throws(CloudError) -> Timestamp {
        let found: Timestamp?
        let written: String
        switch self {
        case .date(let date):
            found = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()).map { Timestamp(milliseconds: $0) }
            written = "the date"
        case .text(let text):
            found = Timestamp(iso8601: text)
            written = "'\(text)'"
        }
        guard let found, ClockChange.times.contains(found) else {
            throw CloudError(.invalidArgument, "\(written) must be a date from 1970 to 9999, such as \"2026-01-01T00:00:00Z\".")
        }
        return found
    }
}
