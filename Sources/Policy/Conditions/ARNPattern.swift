/// The six fields of an ARN; the last keeps its colons.
struct ARNFields {
    let fields: [Substring]

    /// Nil for a text with fewer than five colons or without the `arn` in front.
    init?(_ text: String) {
        fields = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == "arn" else { return nil }
    }
}

/// A value of `ArnLike` and `ArnEquals`: each of the six fields is a pattern of its own, so wildcards stay inside their field.
struct ARNPattern: Sendable {
    let whole: Pattern
    private let fields: [Pattern]?

    /// Nil for a pattern that has fewer than six fields. One with variables is divided when they are resolved.
    init?(_ whole: Pattern) {
        self.whole = whole
        fields = whole.hasVariables ? nil : whole.fields(6)
        if !whole.hasVariables, fields == nil { return nil }
    }

    func matches(_ arn: ARNFields, in keys: ConditionKeys) -> Bool {
        guard let fields = fields ?? whole.resolved(in: keys)?.fields(6) else { return false }
        for (pattern, field) in zip(fields, arn.fields) where !pattern.matches(String(field), in: keys) { return false }
        return true
    }
}
