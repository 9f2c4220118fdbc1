import WireFormats

/// The six fields of an ARN; the last keeps its colons.
struct ARNFields {
    let fields: [Substring]

    /// Splits an ARN; nil if the text has fewer than five colons or does not begin with `arn`.
    init?(_ text: String) {
        fields = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == "arn" else { return nil }
    }
}

/// A value of `ArnLike` and `ArnEquals`. Each of the six fields is its own pattern, so that wildcards do not cross colons.
struct ARNPattern: Sendable {
    let whole: Pattern
    private let fields: [Pattern]?

    /// Splits a pattern into fields; nil if it has fewer than six. A pattern with variables is split when they are resolved.
    init?(_ whole: Pattern) {
        self.whole = whole
        fields = whole.hasVariables ? nil : whole.fields(6)
        if !whole.hasVariables, fields == nil { return nil }
    }

    /// - Parameter isAssumed: the result if the pattern has a variable whose value is not known.
    func matches(_ arn: ARNFields, in keys: ConditionKeys, ifUnknown isAssumed: Bool) -> Bool {
        guard let fields = fields ?? whole.resolved(in: keys)?.fields(6) else { return isAssumed && whole.isOpen(in: keys) }
        for (pattern, field) in zip(fields, arn.fields) where !pattern.matches(String(field), in: keys) { return false }
        return true
    }
}
