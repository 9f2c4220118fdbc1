import WireFormats

/// A step in which policies take part in a decision, and how it ended.
package struct EvaluationStage: Hashable, Sendable {
    /// How a stage ended. The raw value is its name in JSON.
    package enum Outcome: String, Hashable, Sendable {
        /// A statement allows the request.
        case allows
        /// No statement of the stage applies, and the evaluation went on.
        case silent
        /// There is no policy.
        case absent
        /// The stage denied the request, by a statement or because none allows it.
        case denies
        /// An earlier stage denied the request.
        case unreached
    }

    /// The policy type, or `explicit deny` for the Deny statements of all policies.
    package var name: String
    /// The labels of the policies.
    package var policies: [String]
    /// How the stage ended.
    package var outcome: Outcome

    /// The name of the first stage.
    package static let explicitDeny = "explicit deny"
    /// The name of the stage of policies that narrow a session further.
    static let scope = "scope of the session"
}

extension PolicySet {
    /// A stage before its outcome is known.
    private struct Part {
        var name: String
        var types: [PolicyType]
        var policies: [String]

        init(_ type: PolicyType, _ policies: [AttachedPolicy]) {
            (name, types) = (type.rawValue, [type])
            self.policies = policies.map(\.label)
        }

        func allows(_ entry: DecisionTrace.Entry) -> Bool {
            !entry.isDeny && entry.mismatch == nil && types.contains(entry.type) && policies.contains(entry.policy)
        }
    }

    /// Returns the stages of a decision in the order of the vendor (IAM User Guide, "How AWS enforcement code logic evaluates requests to allow or
    /// deny access"; RAM User Guide, "How RAM evaluates policies"). A policy that must allow whatever others allow comes last.
    ///
    /// Nothing is decided here: the outcomes are those of the decision and its entries.
    func stages(of decision: Decision, for request: RequestContext, entries: [DecisionTrace.Entry]) -> [EvaluationStage] {
        let denies = entries.filter(\.isDeny).map(\.policy)
        var first = EvaluationStage(
            name: EvaluationStage.explicitDeny, policies: denies.unique, outcome: denies.isEmpty ? .absent : .silent)
        let parts = order(for: request)
        guard case .implicitDeny(let missing) = decision.outcome else {
            if !decision.isAllowed { first.outcome = .denies }
            return [first]
                + parts.map { part in
                    EvaluationStage(
                        name: part.name, policies: part.policies.unique,
                        outcome: decision.isAllowed ? Self.outcome(of: part, entries) : .unreached)
                }
        }
        let stop = parts.firstIndex { part in
            // Each policy of the scope must allow.
            part.name == EvaluationStage.scope
                ? missing == .session && !part.policies.allSatisfy { policy in entries.contains { part.allows($0) && $0.policy == policy } }
                : part.types.first == missing
        }
        return [first]
            + parts.enumerated().map { index, part in
                let outcome: EvaluationStage.Outcome =
                    if let stop, index > stop { .unreached } else if index == stop { .denies } else { Self.outcome(of: part, entries) }
                return EvaluationStage(name: part.name, policies: part.policies.unique, outcome: outcome)
            }
    }

    private static func outcome(of part: Part, _ entries: [DecisionTrace.Entry]) -> EvaluationStage.Outcome {
        if entries.contains(where: part.allows) { return .allows }
        return part.policies.isEmpty ? .absent : .silent
    }

    private func order(for request: RequestContext) -> [Part] {
        let principal = request.principal
        let isTrust = resource?.document.kind == .trust
        var granting = Part(isTrust ? .roleTrust : .resourceBased, resource.map { [$0] } ?? [])
        granting.types.append(.accessControlList)
        granting.policies += lists.map(\.label)
        var scope = Part(.session, scopes)
        scope.name = EvaluationStage.scope
        let narrowing = scopes.isEmpty ? [] : [scope]
        // In its own account, no identity policy limits the root user.
        guard principal.hasIdentityPolicies, principal.identity != .root else { return narrowing + [granting] }
        let identity = Part(.identityBased, identity)
        let session = Part(.session, session ?? [])
        let isLast = isTrust || principal.account != request.resourceAccount
        switch rule {
        case .aws:
            let own = [identity, Part(.permissionsBoundary, boundary.map { [$0] } ?? []), session]
            return narrowing + (isLast ? own + [granting] : [granting] + own)
        case .ram: return narrowing + [session] + (isLast ? [identity, granting] : [granting, identity])
        }
    }
}

extension [String] {
    /// The texts without repetitions, in order.
    fileprivate var unique: [String] {
        reduce(into: []) { texts, text in if !texts.contains(text) { texts.append(text) } }
    }
}
