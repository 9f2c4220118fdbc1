extension Timestamp {
    /// The date in the time zone of Los Angeles, as Java prints it: `Tue Dec 31 16:00:00 PST 2019`. Some errors of S3 contain such dates.
    ///
    /// Daylight saving time follows the Energy Policy Act of 2005 for all years.
    package var pacificTime: String {
        let standard = CivilDate(Timestamp(milliseconds: milliseconds - 8 * 3_600_000))
        let isDaylight = standard.isInDaylightSavingTime
        let date = isDaylight ? CivilDate(Timestamp(milliseconds: milliseconds - 7 * 3_600_000)) : standard
        let time = [date.hour, date.minute, date.second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        let day = date.day < 10 ? "0\(date.day)" : "\(date.day)"
        return "\(weekdayNames[date.weekday]) \(monthNames[Int(date.month) - 1]) \(day) \(time) \(isDaylight ? "PDT" : "PST") \(date.year)"
    }
}

extension CivilDate {
    /// Whether a U.S. standard time lies between 2:00 on the second Sunday of March and 1:00 on the first Sunday of November.
    fileprivate var isInDaylightSavingTime: Bool {
        switch month {
        case 4...10: true
        case 3: (day, hour) >= (firstSunday + 7, 2)
        case 11: (day, hour) < (firstSunday, 1)
        default: false
        }
    }

    /// The day of the month of the first Sunday.
    private var firstSunday: Int64 {
        let weekdayOfFirst = (Int64(weekday) - (day - 1)) % 7
        return 1 + (7 - (weekdayOfFirst + 7) % 7) % 7
    }
}
