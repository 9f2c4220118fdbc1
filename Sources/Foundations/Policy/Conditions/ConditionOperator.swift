import WireFormats

/// A parsed operator of the Condition element, such as `ForAnyValue:StringNotLikeIfExists`
/// (IAM User Guide, "IAM JSON policy elements: Condition operators").
struct ConditionOperator: Hashable, Sendable {
    /// How the values of a multivalued key are combined.
    enum Quantifier: String, CaseIterable, Sendable {
        case forAnyValue = "ForAnyValue:"
        case forAllValues = "ForAllValues:"
    }

    /// The type of values that the operator compares.
    enum Family: Hashable, Sendable {
        case exactText
        case foldedText
        case textPattern
        case numeric(Comparison)
        case date(Comparison)
        case bool
        case binary
        case address
        case arn
        case null
    }

    /// The required relation of the request's value to the policy's.
    enum Comparison: Sendable {
        case equal
        case less
        case lessOrEqual
        case greater
        case greaterOrEqual

        func holds<Value: Comparable>(_ value: Value, _ limit: Value) -> Bool {
            switch self {
            case .equal: value == limit
            case .less: value < limit
            case .lessOrEqual: value <= limit
            case .greater: value > limit
            case .greaterOrEqual: value >= limit
            }
        }
    }

    let quantifier: Quantifier?
    let family: Family
    let isNegated: Bool
    let ifExists: Bool

    /// Parses an operator's name, which is case-sensitive; nil for an unknown one. `Null` has neither prefix nor suffix.
    init?(_ name: String) {
        var base = name[...]
        quantifier = Quantifier.allCases.first { base.hasPrefix($0.rawValue) }
        if let quantifier { base = base.dropFirst(quantifier.rawValue.count) }
        ifExists = base.hasSuffix("IfExists")
        if ifExists { base = base.dropLast("IfExists".count) }
        guard let (family, isNegated) = Self.table[String(base)] else { return nil }
        if family == .null, quantifier != nil || ifExists { return nil }
        self.family = family
        self.isNegated = isNegated
    }

    private static let table: [String: (Family, Bool)] = [
        "StringEquals": (.exactText, false), "StringNotEquals": (.exactText, true),
        "StringEqualsIgnoreCase": (.foldedText, false), "StringNotEqualsIgnoreCase": (.foldedText, true),
        "StringLike": (.textPattern, false), "StringNotLike": (.textPattern, true),
        "NumericEquals": (.numeric(.equal), false), "NumericNotEquals": (.numeric(.equal), true),
        "NumericLessThan": (.numeric(.less), false), "NumericLessThanEquals": (.numeric(.lessOrEqual), false),
        "NumericGreaterThan": (.numeric(.greater), false), "NumericGreaterThanEquals": (.numeric(.greaterOrEqual), false),
        "DateEquals": (.date(.equal), false), "DateNotEquals": (.date(.equal), true),
        "DateLessThan": (.date(.less), false), "DateLessThanEquals": (.date(.lessOrEqual), false),
        "DateGreaterThan": (.date(.greater), false), "DateGreaterThanEquals": (.date(.greaterOrEqual), false),
        "Bool": (.bool, false), "BinaryEquals": (.binary, false), "Null": (.null, false),
        "IpAddress": (.address, false), "NotIpAddress": (.address, true),
        "ArnEquals": (.arn, false), "ArnNotEquals": (.arn, true), "ArnLike": (.arn, false), "ArnNotLike": (.arn, true),
    ]
}
