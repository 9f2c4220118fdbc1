package import WireFormats

/// A timestamp with the precision and the offset with which it was written. (Amazon Ion, "Timestamps".)
package struct SelectMoment: Hashable, Sendable {
    enum Precision: Int, Comparable {
        case year, month, day, minute, second, fraction

        static func < (one: Precision, other: Precision) -> Bool { one.rawValue < other.rawValue }
    }

    /// The time in UTC.
    package var timestamp: Timestamp
    var precision = Precision.second
    /// The offset from UTC; positive values are east.
    var offsetMinutes: Int64 = 0

    init(_ timestamp: Timestamp, precision: Precision = .second, offsetMinutes: Int64 = 0) {
        self.timestamp = timestamp
        self.precision = precision
        self.offsetMinutes = offsetMinutes
    }

    /// Parses `2007T`, `2007-02T`, `2007-02-23`, `2007-02-23T12:14Z` or `2007-02-23T12:14:33.079-08:00`; `nil` for anything else.
    init?(parsing text: String) {
        let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        let widths = [4, 2, 2]
        guard (1...3).contains(date.count), zip(date, widths).allSatisfy({ $0.utf8.count == $1 }) else { return nil }
        let numbers = date.compactMap { Int64(digits: $0) }
        guard numbers.count == date.count, let day = Self.day(numbers) else { return nil }
        guard halves.count == 2, !halves[1].isEmpty else {
            // Without a day, the `T` is required.
            guard halves.count == 2 || date.count == 3 else { return nil }
            self.init(day.timestamp, precision: [.year, .month, .day][date.count - 1])
            return
        }
        guard date.count == 3, let offset = Self.offset(of: halves[1]) else { return nil }
        let clock = halves[1].dropLast(offset.length)
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts[0].utf8.count == 2, parts[1].utf8.count == 2, let hour = Int64(digits: parts[0]),
            let minute = Int64(digits: parts[1])
        else { return nil }
        var (second, millisecond, precision) = (Int64(0), Int64(0), Precision.minute)
        if parts.count == 3 {
            let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
            guard seconds.count <= 2, seconds[0].utf8.count == 2, let whole = Int64(digits: seconds[0]) else { return nil }
            (second, precision) = (whole, .second)
            if seconds.count == 2 {
                guard let fraction = Int64(digits: (String(seconds[1]) + "00").prefix(3)), Int64(digits: seconds[1].prefix(18)) != nil
                else {
                    return nil
                }
                (millisecond, precision) = (fraction, .fraction)
            }
        }
        guard
            let local = CivilDate(
                year: day.year, month: day.month, day: day.day, hour: hour, minute: minute, second: second, millisecond: millisecond)
        else { return nil }
        self.init(
            Timestamp(milliseconds: local.timestamp.milliseconds - offset.minutes * 60_000), precision: precision,
            offsetMinutes: offset.minutes)
    }

    private static func day(_ numbers: [Int64]) -> CivilDate? {
        CivilDate(year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)
    }

    /// Parses the offset at the end of a time of day: `Z` or `+07:00`.
    private static func offset(of text: Substring) -> (minutes: Int64, length: Int)? {
        if text.hasSuffix("Z") { return (0, 1) }
        let tail = text.suffix(6)
        guard tail.count == 6, let sign = tail.first, sign == "+" || sign == "-", tail.dropFirst(3).first == ":",
            let hours = Int64(digits: tail.dropFirst().prefix(2)), let minutes = Int64(digits: tail.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        return ((sign == "-" ? -1 : 1) * (hours * 60 + minutes), 6)
    }

    /// The date and time of day at the offset.
    var local: CivilDate { CivilDate(Timestamp(milliseconds: timestamp.milliseconds + offsetMinutes * 60_000)) }

    /// The text in Ion format.
    package var text: String {
        if precision == .second, offsetMinutes == 0 { return timestamp.iso8601 }
        let local = local
        let zone = offsetMinutes == 0 ? "Z" : SelectTimePattern.offset(offsetMinutes, colon: true)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = String(String(10_000 + local.year).dropFirst())
        switch precision {
        case .year: return "\(year)T"
        case .month: return "\(year)-\(two(local.month))T"
        case .day: return "\(year)-\(two(local.month))-\(two(local.day))"
        case .minute: return "\(year)-\(two(local.month))-\(two(local.day))T\(two(local.hour)):\(two(local.minute))\(zone)"
        case .second, .fraction:
            let fraction = precision == .second ? "" : "." + String(1000 + local.millisecond).dropFirst()
            return
                "\(year)-\(two(local.month))-\(two(local.day))T\(two(local.hour)):\(two(local.minute)):\(two(local.second))\(fraction)\(zone)"
        }
    }
}

/// A component of a date or time.
enum SelectDatePart: String, Sendable {
    case year, month, day, hour, minute, second
    case timezoneHour = "timezone_hour"
    case timezoneMinute = "timezone_minute"
}

extension SelectMoment {
    /// Returns a component at the offset.
    func part(_ part: SelectDatePart) -> Int64 {
        switch part {
        case .year: local.year
        case .month: local.month
        case .day: local.day
        case .hour: local.hour
        case .minute: local.minute
        case .second: local.second
        case .timezoneHour: offsetMinutes / 60
        case .timezoneMinute: offsetMinutes % 60
        }
    }

    /// Returns the time after adding a number of units, with at least the unit's precision; `nil` outside the calendar.
    func adding(_ number: Int64, _ part: SelectDatePart) -> SelectMoment? {
        guard number.magnitude < 1_000_000_000_000 else { return nil }
        var result = self
        func moved(by milliseconds: Int64, _ least: Precision) -> SelectMoment? {
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: milliseconds)
            guard !isTooLarge, case let (sum, overflow) = timestamp.milliseconds.addingReportingOverflow(product), !overflow else {
                return nil
            }
            result.timestamp = Timestamp(milliseconds: sum)
            result.precision = max(precision, least)
            return (0...9999).contains(result.local.year) ? result : nil
        }
        switch part {
        case .day: return moved(by: 86_400_000, .day)
        case .hour: return moved(by: 3_600_000, .minute)
        case .minute: return moved(by: 60_000, .minute)
        case .second: return moved(by: 1000, .second)
        case .timezoneHour, .timezoneMinute: return nil
        case .year, .month:
            var local = local
            let months = local.year * 12 + local.month - 1 + (part == .year ? number * 12 : number)
            guard (0..<120_000).contains(months) else { return nil }
            (local.year, local.month) = (months / 12, months % 12 + 1)
            local.day = min(local.day, CivilDate.days(inMonth: local.month, of: local.year))
            result.timestamp = Timestamp(milliseconds: local.timestamp.milliseconds - offsetMinutes * 60_000)
            result.precision = max(precision, part == .year ? .year : .month)
            return result
        }
    }

    /// Returns the number of whole units until another time; negative if that is earlier.
    func distance(to other: SelectMoment, _ part: SelectDatePart) -> Int64? {
        let milliseconds = other.timestamp.milliseconds - timestamp.milliseconds
        switch part {
        case .day: return milliseconds / 86_400_000
        case .hour: return milliseconds / 3_600_000
        case .minute: return milliseconds / 60_000
        case .second: return milliseconds / 1000
        case .timezoneHour, .timezoneMinute: return nil
        case .year, .month:
            if milliseconds < 0 { return other.distance(to: self, part).map { -$0 } }
            let (first, last) = (CivilDate(timestamp), CivilDate(other.timestamp))
            var months = (last.year - first.year) * 12 + last.month - first.month
            let rest = (
                last.timestamp.milliseconds - Self.month(of: last).milliseconds,
                first.timestamp.milliseconds - Self.month(of: first).milliseconds
            )
            if rest.0 < rest.1 { months -= 1 }
            return part == .year ? months / 12 : months
        }
    }

    /// Returns the beginning of a month.
    private static func month(of date: CivilDate) -> Timestamp {
        var date = date
        (date.day, date.hour, date.minute, date.second, date.millisecond) = (1, 0, 0, 0, 0)
        return date.timestamp
    }
}
