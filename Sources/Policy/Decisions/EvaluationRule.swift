/// Whose rule says how silence on one side and grants on another go together. An explicit deny, wherever it stands, comes before either.
package enum EvaluationRule: Sendable {
    /// (IAM User Guide, "Policy evaluation logic".)
    case aws
    /// The policies of a session limit whatever else grants. A role is taken where both sides allow it. Everything else is allowed where the
    /// caller's own policies say so on what its account owns, or the resource's policy or list does; what names an account leaves it to
    /// the policies of the account's users and roles.
    /// (RAM User Guide, "How RAM evaluates policies" and "How RAM evaluates policies when a role is assumed"; OSS User Guide,
    /// "Authorization process".)
    case ram
}

extension PolicySet {
    /// The outcome for a user or a session of a role by the rule of Alibaba Cloud, where nothing denies.
    func ramOutcome(
        identityGrants: Grants, sessionGrants: Grants, granted: Grants, resourceType: PolicyType, crossesAccounts: Bool
    ) -> Decision.Outcome {
        if session != nil, sessionGrants.isEmpty { return .implicitDeny(missing: .session) }
        if resourceType == .roleTrust {
            if identityGrants.isEmpty { return .implicitDeny(missing: .identityBased) }
            return granted.isEmpty ? .implicitDeny(missing: .roleTrust) : .allowed
        }
        let isNamed = !granted.isDisjoint(with: .withoutIdentityPolicy)
        let isDelegated = !granted.isEmpty && !identityGrants.isEmpty
        if isNamed || isDelegated || !crossesAccounts && !identityGrants.isEmpty { return .allowed }
        return .implicitDeny(missing: crossesAccounts ? resourceType : .identityBased)
    }
}
