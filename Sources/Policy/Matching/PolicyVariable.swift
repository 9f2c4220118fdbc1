/// A reference such as `${aws:username}` or `${aws:PrincipalTag/team, 'none'}` in a value of a policy
/// (IAM User Guide, "IAM policy elements: Variables and tags").
struct PolicyVariable: Hashable, Sendable {
    /// The condition key it stands for, lower-cased for lookup.
    var key: String
    /// What stands in when the request has no such key.
    var fallback: String?

    /// The text it stands for in this request; nil when it cannot be resolved. Keys with a list of values never
    /// resolve; of several values where one is due, the first stands for all.
    func value(in keys: ConditionKeys) -> String? {
        switch keys[key] {
        case .one(let value): value
        case .many: nil
        case .any(let values): values.first
        case nil: fallback
        }
    }
}
