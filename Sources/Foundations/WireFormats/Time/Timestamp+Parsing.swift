extension Timestamp {
    /// Parses ISO 8601 extended with seconds, any fraction of a second (truncated to milliseconds) and `Z` or an offset such
    /// as `+02:00`. Returns `nil` for anything else.
    package init?(iso8601 text: some StringProtocol) {
        var scanner = DateScanner(text)
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), scanner.skip("T"),
            let time = scanner.extendedTime()
        else { return nil }
        var millisecond: Int64 = 0
        if scanner.skip(".") {
            guard let fraction = scanner.milliseconds() else { return nil }
            millisecond = fraction
        }
        guard let offset = scanner.offsetMinutes(), scanner.isAtEnd,
            let date = CivilDate(
                year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second,
                millisecond: millisecond)
        else { return nil }
        milliseconds = date.timestamp.milliseconds - offset * 60_000
    }

    /// Parses ISO 8601 basic with seconds in UTC, such as `20261121T080000Z`. Returns `nil` for anything else.
    package init?(basic text: String) {
        // In place, without a scanner: the time of nearly every signature is read here.
        var text = text
        let date = text.withUTF8 { text -> CivilDate? in
            guard text.count == 16, text[8] == 0x54, text[15] == 0x5A, let year = text.number(in: 0..<4),
                let month = text.number(in: 4..<6),
                let day = text.number(in: 6..<8), let hour = text.number(in: 9..<11), let minute = text.number(in: 11..<13),
                let second = text.number(in: 13..<15)
            else { return nil }
            return CivilDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        }
        guard let date else { return nil }
        self = date.timestamp
    }

    /// Parses the three forms of an HTTP date (RFC 9110 section 5.6.7). Returns `nil` for anything else. The weekday is not checked
    /// against the date. A year of two digits is taken as 1970 to 2069. The zones `+0000` and `-0000` of RFC 5322, which
    /// clients with a mail library send, count as `GMT`.
    package init?(httpDate text: some StringProtocol) {
        var scanner = DateScanner(text)
        guard scanner.word() != nil else { return nil }
        let date: CivilDate?
        if scanner.skip(", ") {
            date = scanner.dateAfterComma()
        } else {
            date = scanner.skip(" ") ? scanner.asctimeDate() : nil
        }
        guard let date, scanner.isAtEnd else { return nil }
        self = date.timestamp
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the number that the digits in a range are; `nil` if there is anything else in it.
    @inline(__always)
    fileprivate func number(in range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        for index in range {
            guard 0x30...0x39 ~= self[index] else { return nil }
            value = value * 10 + Int64(self[index] - 0x30)
        }
        return value
    }
}

/// Parses a date from the front of a text, field by field.
private struct DateScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: some StringProtocol) {
        rest = Array(text.utf8)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ expected: StaticString) -> Bool {
        let length = expected.utf8CodeUnitCount
        let matches = expected.withUTF8Buffer { rest.prefix(length).elementsEqual($0) }
        if matches { rest = rest.dropFirst(length) }
        return matches
    }

    mutating func number(digits: Int) -> Int64? {
        // In place: the date of every signature is read here.
        guard rest.count >= digits else { return nil }
        let end = rest.startIndex + digits
        var value: Int64 = 0
        for index in rest.startIndex..<end {
            guard 0x30...0x39 ~= rest[index] else { return nil }
            value = value * 10 + Int64(rest[index] - 0x30)
        }
        rest = rest[end...]
        return value
    }

    mutating func word() -> ArraySlice<UInt8>? {
        let letters = rest.prefix { 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }
        rest = rest.dropFirst(letters.count)
        return letters.isEmpty ? nil : letters
    }

    mutating func month() -> Int64? {
        guard let name = word(), let index = monthNames.firstIndex(where: { name.elementsEqual($0.utf8) }) else { return nil }
        return Int64(index) + 1
    }

    mutating func extendedTime() -> (hour: Int64, minute: Int64, second: Int64)? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
            let second = number(digits: 2)
        else { return nil }
        return (hour, minute, second)
    }

    /// Parses the digits of a fraction of a second, rounded down to the millisecond.
    mutating func milliseconds() -> Int64? {
        let digits = rest.prefix { 0x30...0x39 ~= $0 }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        var value: Int64 = 0
        var place: Int64 = 100
        for digit in digits.prefix(3) {
            value += Int64(digit - 0x30) * place
            place /= 10
        }
        return value
    }

    mutating func offsetMinutes() -> Int64? {
        if skip("Z") { return 0 }
        let sign: Int64 = skip("+") ? 1 : -1
        guard sign == 1 || skip("-") else { return nil }
        guard let hours = number(digits: 2), hours < 24, skip(":"), let minutes = number(digits: 2), minutes < 60 else {
            return nil
        }
        return sign * (hours * 60 + minutes)
    }

    /// Parses the rest of `Sun, 06 Nov 1994 08:49:37 GMT` or `Sunday, 06-Nov-94 08:49:37 GMT`.
    mutating func dateAfterComma() -> CivilDate? {
        guard let day = number(digits: 2) else { return nil }
        var year: Int64
        let month: Int64
        if skip(" ") {
            guard let name = self.month(), skip(" "), let full = number(digits: 4) else { return nil }
            (month, year) = (name, full)
        } else {
            guard skip("-"), let name = self.month(), skip("-"), let short = number(digits: 2) else { return nil }
            (month, year) = (name, short < 70 ? 2000 + short : 1900 + short)
        }
        guard skip(" "), let time = extendedTime(), skip(" GMT") || skip(" +0000") || skip(" -0000") else { return nil }
        return CivilDate(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// Parses the rest of `Sun Nov  6 08:49:37 1994`.
    mutating func asctimeDate() -> CivilDate? {
        guard let month = month(), skip(" "), let day = skip(" ") ? number(digits: 1) : number(digits: 2), skip(" "),
            let time = extendedTime(), skip(" "), let year = number(digits: 4)
        else { return nil }
        return CivilDate(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }
}
