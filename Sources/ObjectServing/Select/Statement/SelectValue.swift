import WireFormats

/// What a column holds, or an expression comes to.
package enum SelectValue: Hashable, Sendable {
    /// Nothing: a comparison with it holds as little as its opposite.
    case null
    case text(String)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case timestamp(SelectMoment)
    /// An array or object of JSON, which can be given out alone.
    case composite(JSONNode)

    /// What CAST makes.
    package enum Kind: String, Sendable {
        case int, bigint, double, float, decimal, string, timestamp, boolean
    }

    /// A value is not of the kind that the statement asks for: the record is passed over.
    package struct Mismatch: Error, Hashable, Sendable {
        /// What went wrong, for faces that distinguish it.
        package enum Cause: Hashable, Sendable {
            case type, cast, division, argument, illegalArgument, ambiguousColumn, timestamp, nestedOutput
            case timestampPattern, timestampPatternToken
        }

        /// Why the values cannot be compared.
        package var cause: Cause

        /// - Parameter cause: why the values cannot be compared.
        package init(_ cause: Cause = .type) { self.cause = cause }
    }

    /// A number as statements and JSON write it.
    init?(number text: some StringProtocol) {
        // Swift's own reading takes hexadecimal numbers and infinity, too.
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || "+-.eE".utf8.contains($0) }) else { return nil }
        if let integer = Int64(text) {
            self = .integer(integer)
        } else if let double = Double(text), double.isFinite {
            self = .double(double)
        } else {
            return nil
        }
    }

    /// The value below zero.
    func negated() throws(SelectRefusal) -> SelectValue {
        switch self {
        case .integer(let number) where number != .min: .integer(-number)
        case .double(let number): .double(-number)
        default: throw .syntax("A number is expected behind the minus sign.")
        }
    }

    /// The number that it is, or that its text writes. An empty text is no value.
    func number() throws(Mismatch) -> SelectValue {
        switch self {
        case .null, .integer, .double: return self
        case .text(let text):
            guard !text.isEmpty else { return .null }
            guard let number = SelectValue(number: text) else { throw Mismatch() }
            return number
        case .boolean, .timestamp, .composite: throw Mismatch()
        }
    }

    /// As a number with a fraction; only of numbers.
    var fraction: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// The truth value that it is, or that its text writes.
    func truth() throws(Mismatch) -> Bool? {
        switch self {
        case .null: return nil
        case .boolean(let truth): return truth
        case .text(let text):
            switch text.lowercased() {
            case "true": return true
            case "false": return false
            case "": return nil
            default: throw Mismatch()
            }
        default: throw Mismatch()
        }
    }

    /// The time that it is, or that its text writes: a date, or date and time, of universal time where it says nothing else.
    func time() throws(Mismatch) -> SelectMoment? {
        switch self {
        case .null: return nil
        case .timestamp(let time): return time
        case .text(let text):
            guard !text.isEmpty else { return nil }
            let spelled = String(text.map { $0 == " " ? "T" : $0 })
            guard let time = Timestamp(iso8601: spelled) ?? Timestamp(iso8601: spelled + "Z") ?? Timestamp(iso8601: spelled + "T00:00:00Z")
            else { throw Mismatch() }
            return SelectMoment(time)
        default: throw Mismatch()
        }
    }

    func cast(to kind: Kind) throws(Mismatch) -> SelectValue {
        if self == .null { return .null }
        switch kind {
        case .string: return .text(text ?? "")
        case .boolean: return try truth().map { .boolean($0) } ?? .null
        case .timestamp: return try time().map { .timestamp($0) } ?? .null
        case .double, .float, .decimal: return try number().fraction.map { .double($0) } ?? .null
        case .int, .bigint:
            let number = try number()
            guard case .double(let fraction) = number else { return number }
            guard let whole = Int64(exactly: fraction.rounded(.towardZero)) else { throw Mismatch() }
            return .integer(whole)
        }
    }

    /// As it is written in an answer; `nil` if there is nothing.
    var text: String? {
        switch self {
        case .null, .composite: nil
        case .text(let text): text
        case .integer(let number): String(number)
        case .double(let number): Int64(exactly: number).map { String($0) } ?? "\(number)"
        case .boolean(let truth): truth ? "true" : "false"
        case .timestamp(let time): time.text
        }
    }

    /// Below zero where this one comes first, zero for equal values; `nil` if one of them is none.
    func compared(to other: SelectValue) throws(Mismatch) -> Int? {
        switch (self, other) {
        case (.null, _), (_, .null): return nil
        case (.text(let one), .text(let two)):
            if one.utf8.elementsEqual(two.utf8) { return 0 }
            return one.utf8.lexicographicallyPrecedes(two.utf8) ? -1 : 1
        case (.timestamp, _), (_, .timestamp):
            guard let one = try time(), let two = try other.time() else { return nil }
            return one.timestamp == two.timestamp ? 0 : one.timestamp < two.timestamp ? -1 : 1
        case (.boolean, _), (_, .boolean):
            guard let one = try truth(), let two = try other.truth() else { return nil }
            return one == two ? 0 : two ? -1 : 1
        default:
            let (one, two) = (try number(), try other.number())
            if case (.integer(let one), .integer(let two)) = (one, two) { return one == two ? 0 : one < two ? -1 : 1 }
            guard let one = one.fraction, let two = two.fraction else { return nil }
            return one == two ? 0 : one < two ? -1 : 1
        }
    }
}
