import WireFormats

/// The comparison of one condition. Its values are converted once to the type that the operator compares.
enum ConditionTest: Sendable {
    case exactText([Pattern])
    case foldedText([Pattern])
    case textPattern([Pattern])
    case numeric([Double], ConditionOperator.Comparison)
    case date([Int64], ConditionOperator.Comparison)
    case bool([Bool])
    case binary([[UInt8]])
    case address([AddressRange])
    case arn([ARNPattern])
    case null([Bool])

    /// Returns whether a value of the request equals (or is like, less than…) one of the policy's.
    ///
    /// Returns nil if the value is not a valid address or ARN. Then even a negated operator does not match, which is AWS's behavior. A text
    /// that is not a valid number, date or binary value is merely different.
    /// - Parameter isAssumed: the result if it depends on a variable whose value is not known.
    func compare(_ value: String, in keys: ConditionKeys, ifUnknown isAssumed: Bool) -> Bool? {
        switch self {
        case .exactText(let patterns), .textPattern(let patterns):
            return patterns.contains { $0.matches(value, in: keys, ifUnknown: isAssumed) }
        case .foldedText(let patterns):
            return patterns.contains { pattern in
                guard let text = pattern.resolved(in: keys)?.description else { return isAssumed && pattern.isOpen(in: keys) }
                return ExactText.equalIgnoringCase(text, value)
            }
        case .numeric(let limits, let comparison):
            guard let number = Literal.number(value) else { return false }
            return limits.contains { comparison.holds(number, $0) }
        case .date(let limits, let comparison):
            guard let date = Literal.date(value) else { return false }
            return limits.contains { comparison.holds(date, $0) }
        case .bool(let wanted):
            return wanted.contains(ExactText.equalIgnoringCase(value, "true"))
        case .binary(let wanted):
            guard let bytes = [UInt8](base64: value) else { return false }
            return wanted.contains(bytes)
        case .address(let ranges):
            guard let address = AddressRange.requestAddress(value) else { return nil }
            return ranges.contains { $0.contains(address) }
        case .arn(let patterns):
            guard let fields = ARNFields(value) else { return nil }
            return patterns.contains { $0.matches(fields, in: keys, ifUnknown: isAssumed) }
        case .null(let wanted):
            return wanted.contains(false)
        }
    }

    /// The values as patterns, which may contain variables; empty for types that have none.
    var patterns: [Pattern] {
        switch self {
        case .exactText(let patterns), .foldedText(let patterns), .textPattern(let patterns): patterns
        case .arn(let patterns): patterns.map(\.whole)
        default: []
        }
    }
}
