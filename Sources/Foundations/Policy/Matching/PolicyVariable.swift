import WireFormats

/// A reference such as `${aws:username}` or `${aws:PrincipalTag/team, 'none'}` in a value of a policy
/// (IAM User Guide, "IAM policy elements: Variables and tags").
struct PolicyVariable: Hashable, Sendable {
    /// The condition key, lowercased for lookup.
    var key: String
    /// The value if the request does not have the key.
    var fallback: String?

    /// Returns the value in this request; nil if the variable cannot be resolved. A multivalued key never
    /// resolves. If a single-valued key has several values, the first is used.
    func value(in keys: ConditionKeys) -> String? {
        switch keys[key] {
        case .one(let value): value
        case .many, .unknown: nil
        case .any(let values): values.first
        case nil: fallback
        }
    }
}
