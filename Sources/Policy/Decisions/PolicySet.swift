/// A policy together with the name by which traces speak of it: the name of an inline policy, the ARN of a managed one, a bucket.
package struct AttachedPolicy: Sendable {
    /// The name of the policy, for people.
    package var label: String
    /// The policy.
    package var document: PolicyDocument
    /// Where the policy comes from.
    package var origin: PolicyOrigin

    package init(_ label: String, _ document: PolicyDocument, origin: PolicyOrigin = .other) {
        self.label = label
        self.document = document
        self.origin = origin
    }
}

/// Where a policy that has a say comes from.
package enum PolicyOrigin: Hashable, Sendable {
    /// A managed policy, by its ARN.
    case managed(arn: String)
    /// An inline policy by its name, and who holds it.
    case inline(PolicyHolderKind, String, name: String)
    /// What has neither: a bucket's policy, a trust policy, a session's own.
    case other

    /// The ARN, where the policy has one.
    package var arn: String? {
        if case .managed(let arn) = self { arn } else { nil }
    }
}

/// What kind of identity holds an inline policy. The raw value is how IAM spells it.
package enum PolicyHolderKind: String, Hashable, Sendable {
    case user, group, role
}

/// All policies that have a say in one request.
package struct PolicySet: Sendable {
    /// Policies of the caller: inline and managed, the user's own and its groups', or the role's.
    package var identity: [AttachedPolicy]
    /// The caller's permissions boundary.
    package var boundary: AttachedPolicy?
    /// The policies that the session was made with; nil for a session without any and for callers that are no session.
    package var session: [AttachedPolicy]?
    /// The policy on the resource. One of kind ``PolicyDocument/Kind-swift.enum/trust`` is the role's trust policy and must allow by itself.
    package var resource: AttachedPolicy?
    /// What lists of access control on the resource grant, each as a policy of kind ``PolicyDocument/Kind-swift.enum/resource``
    /// that allows and does not deny.
    package var lists: [AttachedPolicy]
    /// Whose rule says how silence on one side and grants on another go together.
    package var rule: EvaluationRule

    package init(
        identity: [AttachedPolicy] = [], boundary: AttachedPolicy? = nil, session: [AttachedPolicy]? = nil, resource: AttachedPolicy? = nil,
        lists: [AttachedPolicy] = [], rule: EvaluationRule = .aws
    ) {
        self.identity = identity
        self.boundary = boundary
        self.session = session
        self.resource = resource
        self.lists = lists
        self.rule = rule
    }

    /// Decides one request (IAM User Guide, "Policy evaluation logic"; for Alibaba Cloud see ``EvaluationRule/ram``).
    package func decision(for request: RequestContext) -> Decision {
        decision(for: request, observing: nil)
    }

    /// The one evaluator. An observer hears of every statement, in order; without one, statements that cannot change the decision any more are
    /// left out. The decision is the same.
    func decision(for request: RequestContext, observing observe: Observer?) -> Decision {
        let principal = request.principal
        let resourceType: PolicyType = resource?.document.kind == .trust ? .roleTrust : .resourceBased
        var evaluation = Evaluation(request: request)
        var identityGrants: Grants = []
        var boundaryGrants: Grants = []
        var sessionGrants: Grants = []
        // Nothing limits the root user on the side of its own account.
        let isLimited = principal.hasIdentityPolicies && principal.identity != .root
        if isLimited {
            for policy in identity { identityGrants.formUnion(evaluation.weigh(policy, as: .identityBased, observe)) }
            if let boundary { boundaryGrants = evaluation.weigh(boundary, as: .permissionsBoundary, observe) }
            for policy in session ?? [] { sessionGrants.formUnion(evaluation.weigh(policy, as: .session, observe)) }
        }
        var granted = resource.map { evaluation.weigh($0, as: resourceType, observe) } ?? []
        for list in lists { granted.formUnion(evaluation.weigh(list, as: .accessControlList, observe)) }

        let crossesAccounts = principal.account != request.resourceAccount
        if let (type, origin) = evaluation.denied {
            // Who asks from another account is not told which policy it was.
            return Decision(.explicitDeny(in: type), policyARN: crossesAccounts ? nil : origin.arn)
        }
        if isLimited, rule == .ram {
            return Decision(
                ramOutcome(
                    identityGrants: identityGrants, sessionGrants: sessionGrants, granted: granted, resourceType: resourceType,
                    crossesAccounts: crossesAccounts))
        }
        if isLimited {
            // Only within one account can a grant on the resource make up for silence elsewhere.
            let direct = crossesAccounts ? [] : granted
            if identityGrants.isEmpty, direct.isDisjoint(with: .withoutIdentityPolicy) {
                return Decision(.implicitDeny(missing: .identityBased))
            }
            if boundary != nil, boundaryGrants.isEmpty, direct.isDisjoint(with: .beyondBoundary) {
                return Decision(.implicitDeny(missing: .permissionsBoundary))
            }
            if session != nil || principal.needsSessionPolicy, sessionGrants.isEmpty, direct.isDisjoint(with: .beyondSessionPolicy) {
                return Decision(.implicitDeny(missing: .session))
            }
        }
        let mustBeGranted = crossesAccounts || resourceType == .roleTrust || !principal.hasIdentityPolicies
        if mustBeGranted, granted.isEmpty { return Decision(.implicitDeny(missing: resourceType)) }
        return Decision(.allowed)
    }

    /// Hears of a statement that was compared with the request.
    typealias Observer = (_ type: PolicyType, _ policy: AttachedPolicy, _ index: Int, _ outcome: Statement.Outcome) -> Void

    private struct Evaluation {
        let request: RequestContext
        /// The first policy in which an explicit deny was found.
        var denied: (type: PolicyType, origin: PolicyOrigin)?

        init(request: RequestContext) { self.request = request }

        /// What the policy's Allow statements grant. Notes an explicit deny.
        mutating func weigh(_ policy: AttachedPolicy, as type: PolicyType, _ observe: Observer?) -> Grants {
            var grants: Grants = []
            if denied != nil, observe == nil { return grants }
            for (index, statement) in policy.document.statements.enumerated() {
                let outcome = statement.outcome(for: request)
                observe?(type, policy, index, outcome)
                guard case .matched(let names) = outcome else { continue }
                switch statement.effect {
                case .allow: grants.formUnion(names)
                case .deny:
                    if denied == nil { denied = (type, policy.origin) }
                    if observe == nil { return grants }
                }
            }
            return grants
        }
    }
}

extension Principal {
    /// A federated-user session without a session policy may do nothing by its user's policies.
    fileprivate var needsSessionPolicy: Bool {
        if case .federatedUser = identity { true } else { false }
    }
}
