import WireFormats

/// A policy with its label for traces: the name of an inline policy, the ARN of a managed one, or a bucket.
package struct AttachedPolicy: Sendable {
    /// The label of the policy, for display.
    package var label: String
    /// The policy.
    package var document: PolicyDocument
    /// The origin of the policy.
    package var origin: PolicyOrigin
    /// Whether this policy of a resource must allow whatever other policies allow, as the policy of a KMS key must, also for callers of the
    /// account. If it names the account, the account's own policies decide. (KMS Developer Guide, "Key policies in AWS KMS".)
    package var isRequired: Bool

    package init(_ label: String, _ document: PolicyDocument, origin: PolicyOrigin = .other, isRequired: Bool = false) {
        self.label = label
        self.document = document
        self.origin = origin
        self.isRequired = isRequired
    }
}

/// The origin of a policy that applies to a request.
package enum PolicyOrigin: Hashable, Sendable {
    /// A managed policy, by its ARN.
    case managed(arn: String)
    /// An inline policy by its name, and the kind and name of the identity that contains it.
    case inline(PolicyHolderKind, String, name: String)
    /// Any other policy: a bucket's policy, a trust policy, or a session's own.
    case other

    /// The ARN, if the policy has one.
    package var arn: String? {
        if case .managed(let arn) = self { arn } else { nil }
    }
}

/// The kind of identity that contains an inline policy. The raw value is IAM's spelling.
package enum PolicyHolderKind: String, Hashable, Sendable {
    case user, group, role
}

/// All policies that apply to one request.
package struct PolicySet: Sendable {
    /// The caller's identity policies: inline and managed, of the user and its groups or of the role.
    package var identity: [AttachedPolicy]
    /// The caller's permissions boundary.
    package var boundary: AttachedPolicy?
    /// The session policies; nil for a session without any and for callers that are not a session.
    package var session: [AttachedPolicy]?
    /// The policies that narrow a session further (STS API Reference, "GetScopedCredentials"). Each must allow, whatever else allows.
    package var scopes: [AttachedPolicy] = []
    /// The policy on the resource. One of kind ``PolicyDocument/Kind-swift.enum/trust`` is the role's trust policy, which must allow
    /// explicitly.
    package var resource: AttachedPolicy?
    /// The grants of ACLs on the resource, each as a policy of kind ``PolicyDocument/Kind-swift.enum/resource``
    /// that only allows.
    package var lists: [AttachedPolicy]
    /// The vendor's rule for combining policies.
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

    /// The only evaluator. An observer is called for every statement, in order. Without one, statements that cannot change the decision any
    /// more are skipped. The decision is the same.
    func decision(for request: RequestContext, observing observe: Observer?) -> Decision {
        let principal = request.principal
        let resourceType: PolicyType = resource?.document.kind == .trust ? .roleTrust : .resourceBased
        var evaluation = Evaluation(request: request)
        var identityGrants: Grants = []
        var boundaryGrants: Grants = []
        var sessionGrants: Grants = []
        // In its own account, no identity policy limits the root user.
        let isLimited = principal.hasIdentityPolicies && principal.identity != .root
        if isLimited {
            for policy in identity { identityGrants.formUnion(evaluation.evaluate(policy, as: .identityBased, observe)) }
            if let boundary { boundaryGrants = evaluation.evaluate(boundary, as: .permissionsBoundary, observe) }
            for policy in session ?? [] { sessionGrants.formUnion(evaluation.evaluate(policy, as: .session, observe)) }
        }
        var isInScope = true
        for scope in scopes where evaluation.evaluate(scope, as: .session, observe).isEmpty { isInScope = false }
        var granted = resource.map { evaluation.evaluate($0, as: resourceType, observe) } ?? []
        for list in lists { granted.formUnion(evaluation.evaluate(list, as: .accessControlList, observe)) }

        let crossesAccounts = principal.account != request.resourceAccount
        if let (type, origin) = evaluation.denied {
            // A caller from another account does not learn which policy denied.
            return Decision(.explicitDeny(in: type), policyARN: crossesAccounts ? nil : origin.arn)
        }
        guard isInScope else { return Decision(.implicitDeny(missing: .session)) }
        if isLimited, rule == .ram {
            return Decision(
                ramOutcome(
                    identityGrants: identityGrants, sessionGrants: sessionGrants, granted: granted, resourceType: resourceType,
                    crossesAccounts: crossesAccounts))
        }
        if resource?.isRequired == true, granted.isEmpty { return Decision(.implicitDeny(missing: resourceType)) }
        if isLimited {
            // Only within one account can a grant on the resource replace missing grants of other policies.
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

    /// A callback for each statement that was compared with the request.
    typealias Observer = (_ type: PolicyType, _ policy: AttachedPolicy, _ index: Int, _ outcome: Statement.Outcome) -> Void

    private struct Evaluation {
        let request: RequestContext
        /// The first policy in which an explicit deny was found.
        var denied: (type: PolicyType, origin: PolicyOrigin)?

        init(request: RequestContext) { self.request = request }

        /// Returns the grants of the policy's Allow statements. Records an explicit deny.
        mutating func evaluate(_ policy: AttachedPolicy, as type: PolicyType, _ observe: Observer?) -> Grants {
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
    /// Whether the identity policies apply only together with a session policy, as for federated-user sessions.
    fileprivate var needsSessionPolicy: Bool {
        if case .federatedUser = identity { true } else { false }
    }
}
