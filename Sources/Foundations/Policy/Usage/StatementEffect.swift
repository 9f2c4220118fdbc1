import WireFormats

/// What one statement contributed to the decision on a request.
package struct StatementEffect: Sendable {
    /// The type of the statement's policy.
    package var type: PolicyType
    /// The statement's policy.
    package var policy: AttachedPolicy
    /// The index of the statement in the document of the policy, from 0.
    package var index: Int
    /// Whether the decision is another one without the statement.
    package var isDecisive: Bool
}

extension DecidedRequest {
    /// The statements that apply to the request. For each, the request is decided again without it.
    package var effects: [StatementEffect] {
        var applied: [(type: PolicyType, policy: AttachedPolicy, index: Int)] = []
        let decision = policies.decision(for: context) { type, policy, index, outcome in
            if case .matched = outcome { applied.append((type, policy, index)) }
        }
        return applied.map { type, policy, index in
            let others = policies.leavingOut(statementAt: index, of: policy.document, as: type)
            return StatementEffect(
                type: type, policy: policy, index: policy.document.indexes[index],
                isDecisive: others.decision(for: context).isAllowed != decision.isAllowed)
        }
    }
}

extension PolicySet {
    /// Returns the policies without one statement, wherever its policy is attached in this role.
    fileprivate func leavingOut(statementAt index: Int, of document: PolicyDocument, as type: PolicyType) -> PolicySet {
        func stripped(_ policy: AttachedPolicy) -> AttachedPolicy {
            guard policy.document === document else { return policy }
            var policy = policy
            policy.document = document.removing(statementAt: index)
            return policy
        }
        var policies = self
        switch type {
        case .identityBased: policies.identity = identity.map(stripped)
        case .permissionsBoundary: policies.boundary = boundary.map(stripped)
        case .session:
            policies.session = session?.map(stripped)
            policies.scopes = scopes.map(stripped)
        case .resourceBased, .roleTrust: policies.resource = resource.map(stripped)
        case .accessControlList: policies.lists = lists.map(stripped)
        }
        return policies
    }
}
