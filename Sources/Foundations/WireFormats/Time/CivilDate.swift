/// A date and time of day in the proleptic Gregorian calendar, in UTC.
///
/// The arithmetic follows Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms": years start in March, so that the
/// leap day is the last day of its year, and 400 years are one era of 146,097 days.
package struct CivilDate {
    /// The year of the proleptic Gregorian calendar.
    package var year: Int64
    /// The month, 1 to 12.
    package var month: Int64
    /// The day of the month, from 1.
    package var day: Int64
    /// The hour, 0 to 23.
    package var hour: Int64 = 0
    /// The minute, 0 to 59.
    package var minute: Int64 = 0
    /// The second, 0 to 59.
    package var second: Int64 = 0
    /// The millisecond, 0 to 999.
    package var millisecond: Int64 = 0

    /// Creates the date and time of day of a timestamp, in UTC.
    package init(_ timestamp: Timestamp) {
        let (days, rest) = floorDivide(timestamp.milliseconds, by: 86_400_000)
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        second = rest / 1000 % 60
        millisecond = rest % 1000
    }

    /// Creates a date with a year of four digits; `nil` if a part is out of range. A leap second
    /// counts as the first second of the next minute, as in POSIX.
    package init?(
        year: Int64, month: Int64, day: Int64, hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0, millisecond: Int64 = 0
    ) {
        guard 0...9999 ~= year, 1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day, 0...23 ~= hour,
            0...59 ~= minute, 0...60 ~= second, 0...999 ~= millisecond
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// The timestamp of the date, read as UTC.
    package var timestamp: Timestamp {
        let minutes = (daysSince1970 * 24 + hour) * 60 + minute
        return Timestamp(milliseconds: (minutes * 60 + second) * 1000 + millisecond)
    }

    /// The day of the week, from 0 for Sunday to 6 for Saturday.
    var weekday: Int { Int(floorDivide(daysSince1970 + 4, by: 7).remainder) }

    private var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivide(shiftedYear, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the number of days of a month, 28 to 31.
    package static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
