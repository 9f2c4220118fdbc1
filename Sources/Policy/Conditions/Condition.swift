/// One operator applied to one key: a line of the Condition element.
struct Condition: Sendable {
    /// Operator and key as written, and the key lower-cased.
    let operatorName: String
    let key: String
    let lookupKey: String
    let condition: ConditionOperator
    let test: ConditionTest
    /// The policy's values as written.
    let wanted: [String]

    /// Whether the request fulfils it.
    func holds(in keys: ConditionKeys) -> Bool {
        let values = keys[lookupKey]
        if case .null(let absences) = test { return absences.contains(values == nil) }
        switch (values, condition.quantifier) {
        case (nil, let quantifier):
            if condition.ifExists { return true }
            return switch quantifier {
            case .forAnyValue: false
            case .forAllValues: true
            case nil: condition.isNegated
            }
        case (.one(let value)?, _): return accepts(value, keys)
        case (.many(let values)?, .forAnyValue), (.any(let values)?, .forAnyValue): return values.contains { accepts($0, keys) }
        case (.many(let values)?, .forAllValues), (.any(let values)?, .forAllValues): return values.allSatisfy { accepts($0, keys) }
        case (.any(let values)?, nil):
            return condition.isNegated ? values.allSatisfy { accepts($0, keys) } : values.contains { accepts($0, keys) }
        // A key that is a list by nature fits no plain operator, however many values it has (observed of AWS).
        case (.many?, nil): return false
        }
    }

    private func accepts(_ value: String, _ keys: ConditionKeys) -> Bool {
        guard let isAmong = test.compare(value, in: keys) else { return false }
        return isAmong != condition.isNegated
    }

    /// Whether a text can name a condition key: something, a colon, something.
    static func isKey(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return colon != text.startIndex && text.utf8.index(after: colon) != text.endIndex
    }
}
