import WireFormats

/// A function of S3's SQL. (S3 User Guide, "SQL functions".)
enum SelectFunction: Sendable {
    enum Side: String, Sendable {
        case leading, trailing, both
    }

    case characterLength
    case coalesce
    case dateAdd(SelectDatePart)
    case dateDifference(SelectDatePart)
    case extract(SelectDatePart)
    case lower
    case nullIf
    case substring
    case toString
    case toTimestamp
    case trim(Side)
    case upper

    /// The number of arguments.
    var arity: ClosedRange<Int> {
        switch self {
        case .characterLength, .extract, .lower, .toTimestamp, .upper: 1...1
        case .dateAdd, .dateDifference, .nullIf, .toString: 2...2
        case .coalesce: 1...Int.max
        case .substring: 2...3
        case .trim: 1...2
        }
    }

    /// Evaluates the function for a record. The result is null if an argument is null, except for COALESCE and NULLIF.
    func value(
        _ arguments: [SelectStatement.Expression], in record: some SelectRecord, isMissing: inout Bool
    ) throws(SelectValue.Mismatch) -> SelectValue {
        var values: [SelectValue] = []
        for argument in arguments {
            let value = try argument.value(in: record, isMissing: &isMissing)
            switch self {
            case .coalesce: if value != .null { return value }
            case .nullIf: break
            default: if value == .null { return .null }
            }
            values.append(value)
        }
        switch self {
        case .coalesce: return .null
        case .nullIf: return values[0].isSame(as: values[1]) ? .null : values[0]
        case .characterLength: return .integer(Int64(try text(values[0]).unicodeScalars.count))
        case .lower: return .text(try text(values[0]).lowercased())
        case .upper: return .text(try text(values[0]).uppercased())
        case .trim(let side): return try .text(Self.trimmed(text(values[0]), side, values.count > 1 ? text(values[1]) : " "))
        case .substring: return .text(try substring(values))
        case .toTimestamp: return .timestamp(try moment(values[0]))
        case .toString: return .text(try SelectTimePattern(try text(values[1])).text(of: try moment(values[0])))
        case .extract(let part): return .integer(try moment(values[0]).part(part))
        case .dateAdd(let part):
            guard let sum = try moment(values[1]).adding(try whole(values[0]), part) else { throw SelectValue.Mismatch(.illegalArgument) }
            return .timestamp(sum)
        case .dateDifference(let part):
            guard let distance = try moment(values[0]).distance(to: try moment(values[1]), part) else {
                throw SelectValue.Mismatch(.illegalArgument)
            }
            return .integer(distance)
        }
    }

    private func text(_ value: SelectValue) throws(SelectValue.Mismatch) -> String {
        guard case .text(let text) = value else { throw SelectValue.Mismatch(.argument) }
        return text
    }

    private func whole(_ value: SelectValue) throws(SelectValue.Mismatch) -> Int64 {
        switch value {
        case .integer(let number): return number
        case .text(let text):
            guard let number = Int64(text) else { throw SelectValue.Mismatch(.argument) }
            return number
        default: throw SelectValue.Mismatch(.argument)
        }
    }

    private func moment(_ value: SelectValue) throws(SelectValue.Mismatch) -> SelectMoment {
        switch value {
        case .timestamp(let moment): return moment
        case .text(let text):
            guard let moment = SelectMoment(parsing: text) else { throw SelectValue.Mismatch(.timestamp) }
            return moment
        default: throw SelectValue.Mismatch(.argument)
        }
    }

    /// Returns SUBSTRING. Positions start at 1; positions before 1 count toward the length but contain no characters.
    private func substring(_ values: [SelectValue]) throws(SelectValue.Mismatch) -> String {
        let string = try text(values[0])
        let start = try whole(values[1])
        let first = max(1, start)
        let rest = string.unicodeScalars.dropFirst(Int(clamping: first - 1))
        guard values.count == 3 else { return String(String.UnicodeScalarView(rest)) }
        let length = try whole(values[2])
        guard length >= 0 else { throw SelectValue.Mismatch(.illegalArgument) }
        let (end, overflow) = start.addingReportingOverflow(length)
        let count = (overflow ? Int64.max : max(first, end)) - first
        return String(String.UnicodeScalarView(rest.prefix(Int(clamping: count))))
    }

    private static func trimmed(_ text: String, _ side: Side, _ characters: String) -> String {
        var rest = text.unicodeScalars[...]
        let dropped = Set(characters.unicodeScalars)
        if side != .trailing { while let first = rest.first, dropped.contains(first) { rest.removeFirst() } }
        if side != .leading { while let last = rest.last, dropped.contains(last) { rest.removeLast() } }
        return String(String.UnicodeScalarView(rest))
    }
}

// Comparison and conversion in S3: text that represents a number is compared with numbers; values of different types are unequal.
extension SelectValue {
    /// Returns a negative number if this value is less, zero if both are equal, or a positive one; `nil` if they cannot be compared.
    func looselyCompared(to other: SelectValue) -> Int? {
        switch (self, other) {
        case (.composite(let one), .composite(let other)): return one == other ? 0 : nil
        case (.composite, _), (_, .composite), (.boolean, .text), (.text, .boolean), (.boolean, .integer), (.integer, .boolean),
            (.boolean, .double), (.double, .boolean):
            return nil
        case (.text(let text), .integer), (.text(let text), .double):
            return SelectValue(number: text.trimmed).flatMap { try? $0.compared(to: other) }
        case (.integer, .text), (.double, .text): return other.looselyCompared(to: self).map { -$0 }
        case (.timestamp(let moment), .text(let text)):
            return SelectMoment(parsing: text).flatMap { try? SelectValue.timestamp(moment).compared(to: .timestamp($0)) }
        case (.text, .timestamp): return other.looselyCompared(to: self).map { -$0 }
        default: return try? compared(to: other)
        }
    }

    func isSame(as other: SelectValue) -> Bool { looselyCompared(to: other) == 0 }

    /// Returns the result of CAST. (S3 User Guide, "SQL functions", CAST; "Data types".)
    func converted(to kind: Kind) throws(Mismatch) -> SelectValue {
        let failure = Mismatch(.cast)
        switch (kind, self) {
        case (_, .null): return .null
        case (_, .composite): throw failure
        case (.string, _): return .text(text ?? "")
        case (.boolean, .boolean), (.timestamp, .timestamp), (.int, .integer), (.bigint, .integer): return self
        case (.boolean, .integer(let number)): return .boolean(number != 0)
        case (.boolean, .double(let number)): return .boolean(number != 0)
        case (.boolean, .text(let text)):
            guard let truth = ["true": true, "false": false][text.lowercased()] else { throw failure }
            return .boolean(truth)
        case (.timestamp, .text(let text)):
            guard let moment = SelectMoment(parsing: text) else { throw failure }
            return .timestamp(moment)
        case (.int, .boolean(let truth)), (.bigint, .boolean(let truth)): return .integer(truth ? 1 : 0)
        case (.int, .double(let number)), (.bigint, .double(let number)):
            guard let whole = Int64(exactly: number.rounded(.towardZero)) else { throw failure }
            return .integer(whole)
        case (.int, .text(let text)), (.bigint, .text(let text)):
            guard let number = Int64(text.trimmed) else { throw failure }
            return .integer(number)
        case (.double, .boolean(let truth)), (.float, .boolean(let truth)), (.decimal, .boolean(let truth)): return .double(truth ? 1 : 0)
        case (.double, .text(let text)), (.float, .text(let text)), (.decimal, .text(let text)):
            guard let number = SelectValue(number: text.trimmed)?.fraction else { throw failure }
            return .double(number)
        case (.double, _), (.float, _), (.decimal, _):
            guard let fraction else { throw failure }
            return .double(fraction)
        default: throw failure
        }
    }
}
