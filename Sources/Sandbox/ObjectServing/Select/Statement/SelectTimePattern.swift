import WireFormats

/// The format pattern of TO_STRING. (S3 User Guide, "SQL functions", TO_STRING.)
struct SelectTimePattern {
    private enum Piece {
        case text(String)
        case symbol(Character, count: Int)
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]

    private let pieces: [Piece]

    /// Parses a pattern.
    /// - Throws: a mismatch for a pattern with an unknown symbol or an unterminated quotation.
    init(_ text: String) throws(SelectValue.Mismatch) {
        var pieces: [Piece] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first == "'" {
                guard let end = rest.dropFirst().firstIndex(of: "'") else { throw SelectValue.Mismatch(.timestampPatternToken) }
                pieces.append(.text(String(rest[rest.index(after: rest.startIndex)..<end])))
                rest = rest[rest.index(after: end)...]
            } else if first.isLetter {
                let count = rest.prefix { $0 == first }.count
                guard Self.isKnown(first, count) else { throw SelectValue.Mismatch(.timestampPattern) }
                pieces.append(.symbol(first, count: count))
                rest = rest.dropFirst(count)
            } else {
                pieces.append(.text(String(first)))
                rest = rest.dropFirst()
            }
        }
        self.pieces = pieces
    }

    private static func isKnown(_ symbol: Character, _ count: Int) -> Bool {
        switch symbol {
        case "y": [1, 2, 4].contains(count)
        case "M": count <= 5
        case "d", "h", "H", "m", "s": count <= 2
        case "a", "n": count == 1
        case "S": count <= 9
        case "X", "x": count <= 5
        default: false
        }
    }

    func text(of moment: SelectMoment) -> String {
        let date = moment.local
        return pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .symbol(let symbol, let count): Self.text(symbol, count, date, moment.offsetMinutes)
            }
        }.joined()
    }

    private static func text(_ symbol: Character, _ count: Int, _ date: CivilDate, _ offsetMinutes: Int64) -> String {
        switch symbol {
        case "y": count == 2 ? padded(date.year % 100, 2) : padded(date.year, count)
        case "M" where count == 3: String(months[Int(date.month) - 1].prefix(3))
        case "M" where count == 4: months[Int(date.month) - 1]
        case "M" where count == 5: String(months[Int(date.month) - 1].prefix(1))
        case "M": padded(date.month, count)
        case "d": padded(date.day, count)
        case "a": date.hour < 12 ? "AM" : "PM"
        case "h": padded((date.hour + 11) % 12 + 1, count)
        case "H": padded(date.hour, count)
        case "m": padded(date.minute, count)
        case "s": padded(date.second, count)
        case "S": String((padded(date.millisecond, 3) + "000000").prefix(count))
        case "n": String(date.millisecond * 1_000_000)
        // `X` writes UTC as `Z`; `x` does not.
        case "X" where offsetMinutes == 0: "Z"
        default:
            count == 1 && offsetMinutes % 60 == 0
                ? String(offset(offsetMinutes, colon: false).prefix(3)) : offset(offsetMinutes, colon: count == 3 || count == 5)
        }
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Returns the offset as `+07:00` or `+0700`.
    static func offset(_ minutes: Int64, colon: Bool) -> String {
        "\(minutes < 0 ? "-" : "+")\(padded(abs(minutes) / 60, 2))\(colon ? ":" : "")\(padded(abs(minutes) % 60, 2))"
    }
}
