import WireFormats

/// The vendor's rule for combining policies that do not mention the request with policies that allow it. An explicit deny always wins.
package enum EvaluationRule: Sendable {
    /// The rule of AWS. (IAM User Guide, "Policy evaluation logic".)
    case aws
    /// The rule of Alibaba Cloud. Session policies limit all other grants. A role can be assumed only if both sides allow it. Everything
    /// else is allowed in two cases:
    /// - The caller's own policies allow it on a resource of the caller's account.
    /// - The resource's policy or ACL allows it. If that names an account, the policies of the account's users and roles must allow it too.
    ///
    /// (RAM User Guide, "How RAM evaluates policies" and "How RAM evaluates policies when a role is assumed"; OSS User Guide,
    /// "Authorization process".)
    case ram
}

extension PolicySet {
    /// Returns the outcome for a user or a session of a role by the rule of Alibaba Cloud, if no policy denies.
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
