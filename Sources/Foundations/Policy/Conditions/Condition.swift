import WireFormats

/// One operator applied to one key: a line of the Condition element.
struct Condition: Sendable {
    /// Operator and key as written. `lookupKey` is the lowercased key.
    let operatorName: String
    let key: String
    let lookupKey: String
    let condition: ConditionOperator
    let test: ConditionTest
    /// The policy's values as written.
    let wanted: [String]

    /// Returns whether the request satisfies the condition of a statement with an effect.
    func holds(in keys: ConditionKeys, for effect: Statement.Effect) -> Bool {
        let values = keys[lookupKey]
        if case .unknown? = values { return effect == .deny }
        if case .null(let absences) = test { return absences.contains(values == nil) }
        switch (values, condition.quantifier) {
        case (nil, let quantifier):
            return switch quantifier {
            // `IfExists` has no effect: no value matches (observed of AWS).
            case .forAnyValue: false
            case .forAllValues: true
            case nil: condition.ifExists || condition.isNegated
            }
        case (.one(let value)?, _): return accepts(value, keys, effect)
        case (.many(let values)?, .forAnyValue), (.any(let values)?, .forAnyValue): return values.contains { accepts($0, keys, effect) }
        case (.many(let values)?, .forAllValues), (.any(let values)?, .forAllValues): return values.allSatisfy { accepts($0, keys, effect) }
        case (.any(let values)?, nil):
            return condition.isNegated ? values.allSatisfy { accepts($0, keys, effect) } : values.contains { accepts($0, keys, effect) }
        // A multivalued key never matches an operator without quantifier, however many values it has (observed of AWS).
        case (.many?, nil): return false
        case (.unknown?, _): return effect == .deny
        }
    }

    private func accepts(_ value: String, _ keys: ConditionKeys, _ effect: Statement.Effect) -> Bool {
        let isAssumed = (effect == .deny) != condition.isNegated
        guard let isAmong = test.compare(value, in: keys, ifUnknown: isAssumed) else { return false }
        return isAmong != condition.isNegated
    }

    /// Returns whether a text can be the name of a condition key: it contains a colon with text on both sides.
    static func isKey(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return colon != text.startIndex && text.utf8.index(after: colon) != text.endIndex
    }
}
