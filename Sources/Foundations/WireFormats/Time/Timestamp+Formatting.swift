extension Timestamp {
    /// ISO 8601 extended format in seconds: `2026-11-21T08:00:00Z`.
    package var iso8601: String {
        formatted { date, text in
            text.append(extendedDateOf: date)
            text.append(0x54)
            text.append(extendedTimeOf: date)
            text.append(0x5A)
        }
    }

    /// ISO 8601 extended format in milliseconds: `2026-11-21T08:00:00.000Z`.
    package var iso8601Milliseconds: String { formatted { $1.append(extendedMillisecondsOf: $0) } }

    /// ISO 8601 extended format in whole seconds, with the fraction `.000`, as S3 writes creation and modification times:
    /// `2026-11-21T08:00:00.000Z`.
    package var iso8601WholeSeconds: String { Timestamp(seconds: seconds).iso8601Milliseconds }

    /// ISO 8601 basic format in seconds, as in `X-Amz-Date`: `20261121T080000Z`.
    package var basic: String { formatted { $1.append(basicOf: $0) } }

    /// The date alone in basic format, as in a credential scope: `20261121`.
    package var dateStamp: String {
        formatted { date, text in text.append(basicDateOf: date) }
    }

    /// The preferred form of an HTTP date (RFC 9110 section 5.6.7): `Sat, 21 Nov 2026 08:00:00 GMT`.
    package var httpDate: String {
        formatted { date, text in
            text.append(contentsOf: weekdayNames[date.weekday])
            text.append(contentsOf: ", ")
            text.append(date.day, digits: 2)
            text.append(0x20)
            text.append(contentsOf: monthNames[Int(date.month) - 1])
            text.append(0x20)
            text.append(date.year, digits: 4)
            text.append(0x20)
            text.append(extendedTimeOf: date)
            text.append(contentsOf: " GMT")
        }
    }

    private func formatted(_ write: (CivilDate, inout DateText) -> Void) -> String {
        String(unsafeUninitializedCapacity: DateText.longest) { buffer in
            var text = DateText(buffer: buffer)
            write(CivilDate(self), &text)
            return text.count
        }
    }

    /// Calls `body` with the bytes of ``iso8601WholeSeconds``, without a string.
    func withISO8601WholeSeconds(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DateText.longest) { buffer in
            var text = DateText(buffer: buffer)
            text.append(extendedMillisecondsOf: CivilDate(Timestamp(seconds: seconds)))
            body(UnsafeBufferPointer(rebasing: buffer[..<text.count]))
        }
    }
}

extension [UInt8] {
    /// Appends a time as ``Timestamp/basic``.
    package mutating func append(basic time: Timestamp) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DateText.longest) { buffer in
            var text = DateText(buffer: buffer)
            text.append(basicOf: CivilDate(time))
            append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<text.count]))
        }
    }
}

/// Writes a date into the storage of a string, without allocations: listings contain a thousand dates.
private struct DateText {
    /// A length that is enough: the longest form with the longest year takes 34 bytes.
    static let longest = 40

    let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    mutating func append(_ byte: UInt8) {
        guard count < buffer.count else { return }
        buffer[count] = byte
        count += 1
    }

    mutating func append(contentsOf text: String) {
        var text = text
        text.withUTF8 { for byte in $0 { append(byte) } }
    }

    mutating func append(basicDateOf date: CivilDate) {
        append(date.year, digits: 4)
        append(date.month, digits: 2)
        append(date.day, digits: 2)
    }

    mutating func append(extendedDateOf date: CivilDate) {
        append(date.year, digits: 4)
        append(0x2D)
        append(date.month, digits: 2)
        append(0x2D)
        append(date.day, digits: 2)
    }

    mutating func append(basicOf date: CivilDate) {
        append(basicDateOf: date)
        append(0x54)
        append(date.hour, digits: 2)
        append(date.minute, digits: 2)
        append(date.second, digits: 2)
        append(0x5A)
    }

    mutating func append(extendedMillisecondsOf date: CivilDate) {
        append(extendedDateOf: date)
        append(0x54)
        append(extendedTimeOf: date)
        append(0x2E)
        append(date.millisecond, digits: 3)
        append(0x5A)
    }

    mutating func append(extendedTimeOf date: CivilDate) {
        append(date.hour, digits: 2)
        append(0x3A)
        append(date.minute, digits: 2)
        append(0x3A)
        append(date.second, digits: 2)
    }

    /// Appends the two digits of a number below 100.
    private mutating func append(pair number: UInt16) {
        guard count + 2 <= buffer.count else { return }
        let (tens, units) = UInt8(truncatingIfNeeded: number).quotientAndRemainder(dividingBy: 10)
        buffer[count] = 0x30 + tens
        buffer[count + 1] = 0x30 + units
        count += 2
    }

    /// Appends at least `digits` decimal digits, and more if the number (a year after 9999) needs them.
    mutating func append(_ number: Int64, digits: Int) {
        // Fast paths for the fields of nearly every date.
        let field = UInt16(truncatingIfNeeded: number)
        if digits == 2, 0..<100 ~= number { return append(pair: field) }
        if digits == 4, 0..<10_000 ~= number {
            append(pair: field / 100)
            return append(pair: field % 100)
        }
        if digits == 3, 0..<1_000 ~= number {
            append(UInt8(truncatingIfNeeded: 0x30 + field / 100))
            return append(pair: field % 100)
        }
        guard number >= 0 else {
            append(0x2D)
            return append(-number, digits: digits)
        }
        let leading = number / 10
        if digits > 1 || leading > 0 { append(leading, digits: digits - 1) }
        append(0x30 + UInt8(number % 10))
    }
}
