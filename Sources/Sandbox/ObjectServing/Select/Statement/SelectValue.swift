import WireFormats

/// The value of a column or an expression.
package enum SelectValue: Hashable, Sendable {
    /// Null: comparisons with it are neither true nor false.
    case null
    case text(String)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case timestamp(SelectMoment)
    /// A JSON array or object, which is output unchanged.
    case composite(JSONNode)

    /// The target type of CAST.
    package enum Kind: String, Sendable {
        case int, bigint, double, float, decimal, string, timestamp, boolean
    }

    /// The error for a value of the wrong type: the record is skipped.
    package struct Mismatch: Error, Hashable, Sendable {
        /// The exact cause, for faces that distinguish it.
        package enum Cause: Hashable, Sendable {
            case type, cast, division, argument, illegalArgument, ambiguousColumn, timestamp, nestedOutput
            case timestampPattern, timestampPatternToken
            /// The text is longer than a record may be.
            case length
            /// The statement takes too many steps for the record.
            case complexity
            /// The client is gone.
            case stopped
        }

        /// The exact cause.
        package var cause: Cause

        /// Creates the error.
        /// - Parameter cause: the exact cause.
        package init(_ cause: Cause = .type) { self.cause = cause }
    }

    /// The steps of reading the value, see ``SelectMeter``.
    var steps: Int { 20 + length }

    /// The size of the text, or of the array or object, in bytes; 0 for other values.
    var length: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .composite(let node): node.length
        default: 0
        }
    }

    /// Parses a number as written in statements and JSON.
    init?(number text: some StringProtocol) {
        // Swift's initializers also accept hexadecimal numbers and infinity.
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || "+-.eE".utf8.contains($0) }) else { return nil }
        if let integer = Int64(text) {
            self = .integer(integer)
        } else if let double = Double(text), double.isFinite {
            self = .double(double)
        } else {
            return nil
        }
    }

    /// Returns the negated number.
    func negated() throws(SelectRefusal) -> SelectValue {
        switch self {
        case .integer(let number) where number != .min: .integer(-number)
        case .double(let number): .double(-number)
        default: throw .syntax("A number is expected after the minus sign.")
        }
    }

    /// Returns the number, or the one that the text represents. An empty text is null.
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

    /// The number as a floating-point number; `nil` for other values.
    var fraction: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// Returns the Boolean, or the one that the text represents.
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

    /// Returns the timestamp, or the one that the text represents: a date, or date and time, in UTC unless it has an offset.
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

    /// The text in the output; `nil` for null, arrays and objects.
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

    /// Returns a negative number if this value is less, zero if both are equal, or a positive one; `nil` if one of them is null.
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
