import WireFormats

/// Conversion of texts in policies and requests to the types that condition operators compare.
enum Literal {
    /// Parses a decimal number. A plus sign and leading zeros are allowed; hexadecimal digits, infinities and white space are not.
    static func number(_ text: String) -> Double? {
        guard isNumber(text), let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Returns whether a text is a number, however large.
    static func isNumber(_ text: String) -> Bool {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 || "+-.eE".utf8.contains($0) } && Double(text) != nil
    }

    /// Parses a time in ISO 8601 (year, month, day, hour, minute, second or fraction) or seconds since 1970. Returns
    /// milliseconds. Months, days and so on may have one digit, and a time without a zone is UTC (observed of AWS).
    static func date(_ text: String) -> Int64? {
        if let seconds = number(text) { return Int64(exactly: (seconds * 1000).rounded(.down)) }
        let halves = text.lowercased().split(separator: "t", maxSplits: 1, omittingEmptySubsequences: false)
        let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        var clock = halves.count > 1 ? halves[1] : ""
        var zone = 0
        if clock.hasSuffix("z") {
            clock.removeLast()
        } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let parts = clock[sign...].dropFirst().split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hours = whole(parts[0], digits: 2), hours < 24,
                let minutes = parts.count == 2 ? whole(parts[1], digits: 2) : 0, minutes < 60
            else { return nil }
            zone = (hours * 60 + minutes) * (clock[sign] == "-" ? -1 : 1)
            clock = clock[..<sign]
        }
        let time = clock.isEmpty ? [] : clock.split(separator: ":", omittingEmptySubsequences: false)
        let second = (time.count > 2 ? time[2] : "0").split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = second.count > 1 ? second[1] : "0"
        guard date.count <= 3, time.count <= 3, whole(fraction, digits: 9) != nil,
            let year = whole(date[0], digits: 4), let month = whole(date.count > 1 ? date[1] : "1", digits: 2),
            let day = whole(date.count > 2 ? date[2] : "1", digits: 2), let hour = whole(time.first ?? "0", digits: 2),
            let minute = whole(time.count > 1 ? time[1] : "0", digits: 2), let second = whole(second[0], digits: 2)
        else { return nil }
        let parts = [(year, 4), (month, 2), (day, 2), (hour, 2), (minute, 2), (second, 2)].map { value, width in
            String(repeating: "0", count: max(0, width - "\(value)".utf8.count)) + "\(value)"
        }
        let moment = Timestamp(
            iso8601: "\(parts[0])-\(parts[1])-\(parts[2])T\(parts[3]):\(parts[4]):\(parts[5]).\((fraction + "00").prefix(3))Z")
        return moment.map { $0.milliseconds - Int64(zone) * 60_000 }
    }

    /// Parses an integer of at most `digits` digits.
    private static func whole(_ text: Substring, digits: Int) -> Int? {
        guard 1...digits ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }

    /// Parses `true` or `false` in any letter case.
    static func bool(_ text: String) -> Bool? {
        if ExactText.equalIgnoringCase(text, "true") { return true }
        return ExactText.equalIgnoringCase(text, "false") ? false : nil
    }
}
