import WireFormats

/// The reasons for a decision: every statement that was compared with the request, and why it did or did not apply.
package struct DecisionTrace: Hashable, Sendable {
    /// One statement of one policy.
    package struct Entry: Hashable, Sendable {
        /// The type of the statement's policy.
        package var type: PolicyType
        /// The ``AttachedPolicy/label`` of the policy.
        package var policy: String
        /// The index of the statement in its policy, from 0.
        package var index: Int
        /// The statement's Sid, if it has one.
        package var sid: String?
        /// Whether the statement's effect is Deny rather than Allow.
        package var isDeny: Bool
        /// The first element that did not match; nil if the statement applies.
        package var mismatch: Mismatch?
        /// The origin of the policy.
        package var origin: PolicyOrigin
        /// The statement's text, for display.
        package var text: StatementText
    }

    /// The elements of a statement as written.
    package struct StatementText: Hashable, Sendable {
        /// The actions as written.
        package var actions: [String]
        /// The resources as written.
        package var resources: [String]
        /// The conditions, a line for each key.
        package var conditions: [Line]

        /// A key of the Condition element and the values of its operator.
        package struct Line: Hashable, Sendable {
            /// The condition key.
            package var key: String
            /// The values as written.
            package var values: [String]
        }
    }

    /// An element that did not match the request.
    package struct Mismatch: Hashable, Sendable {
        /// The element's name. For a condition it includes operator and key: `Condition StringEquals aws:username`.
        package var element: String
        /// The values in the policy. A value with policy variables is followed by its resolved form.
        package var wanted: [String]
        /// The values in the request; nil if it does not have the condition key.
        package var found: [String]?
    }

    /// The decision.
    package var decision: Decision
    /// The statements in the order of evaluation: identity policies, boundary, session policies, resource or trust policy.
    package var entries: [Entry]
    /// The request that was decided.
    package var request: RequestSummary
    /// The stages of the evaluation, in the order of the vendor.
    package var stages: [EvaluationStage]

    /// The principal, action and resource of a request.
    package struct RequestSummary: Hashable, Sendable {
        /// The ARN of the principal.
        package var principal: String
        /// The action, with its service prefix.
        package var action: String
        /// The ARN of the resource.
        package var resource: String
    }
}

extension PolicySet {
    /// The condition keys that the policies read, in the spelling of conditions if one names the key.
    package var conditionKeys: [String] {
        let policies = identity + (boundary.map { [$0] } ?? []) + (session ?? []) + (resource.map { [$0] } ?? []) + lists
        return policies.flatMap { policy in
            // The keys that conditions name come last, so that their spelling wins.
            policy.document.conditionKeys + policy.document.statements.flatMap { $0.conditions.map(\.key) }
        }
    }

    /// Decides one request and explains the decision. The decision is that of ``decision(for:)``, made by the same code.
    package func trace(for request: RequestContext) -> DecisionTrace {
        var entries: [DecisionTrace.Entry] = []
        let decision = decision(for: request) { type, policy, index, outcome in
            let statement = policy.document.statements[index]
            var mismatch: DecisionTrace.Mismatch?
            if case .mismatch(let element) = outcome { mismatch = statement.mismatch(of: element, with: request) }
            entries.append(
                DecisionTrace.Entry(
                    type: type, policy: policy.label, index: index, sid: statement.sid, isDeny: statement.effect == .deny,
                    mismatch: mismatch, origin: policy.origin, text: statement.text))
        }
        let summary = DecisionTrace.RequestSummary(
            principal: request.principal.name, action: request.action, resource: request.resource)
        return DecisionTrace(
            decision: decision, entries: entries, request: summary, stages: stages(of: decision, for: request, entries: entries))
    }
}

extension Statement {
    fileprivate var text: DecisionTrace.StatementText {
        .init(
            actions: actions.patterns.map(\.source), resources: resources?.patterns.map(\.source) ?? [],
            conditions: conditions.map { .init(key: $0.key, values: $0.wanted) })
    }

    /// Returns the values that were compared when this element did not match.
    fileprivate func mismatch(of element: Element, with request: RequestContext) -> DecisionTrace.Mismatch {
        switch element {
        case .action:
            return .init(
                element: actions.isExclusion ? "NotAction" : "Action", wanted: actions.patterns.map(\.source), found: [request.action])
        case .resource:
            let patterns = resources?.patterns ?? []
            return .init(
                element: resources?.isExclusion == true ? "NotResource" : "Resource",
                wanted: patterns.map { $0.explained(in: request.keys) },
                found: [request.resource])
        case .principal:
            let (name, elements): (String, [PrincipalElement]) =
                switch principals {
                case .absent: ("Principal", [])
                case .named(let elements): ("Principal", elements)
                case .allBut(let elements): ("NotPrincipal", elements)
                }
            return .init(element: name, wanted: elements.map(\.written), found: [request.principal.name])
        case .condition(let index):
            let condition = conditions[index]
            let patterns = condition.test.patterns
            return .init(
                element: "Condition \(condition.operatorName) \(condition.key)",
                wanted: patterns.isEmpty ? condition.wanted : patterns.map { $0.explained(in: request.keys) },
                found: request.keys[condition.lookupKey]?.all)
        }
    }
}

extension Statement.Coverage {
    fileprivate var isExclusion: Bool {
        if case .allBut = self { true } else { false }
    }
}

extension Pattern {
    /// Returns the value as written, and its resolved form in this request.
    fileprivate func explained(in keys: ConditionKeys) -> String {
        guard hasVariables else { return source }
        if let value = resolved(in: keys)?.description { return "\(source) → \(value)" }
        let missing = unresolvedKeys(in: keys).map(spelling).joined(separator: ", ")
        return "\(source) → \(isOpen(in: keys) ? "the value of \(missing) is not known" : "no value for \(missing)")"
    }

    /// Returns a lowercased key as the pattern spells it.
    private func spelling(_ key: String) -> String {
        let lowercased = source.lowercased()
        guard lowercased.utf8.count == source.utf8.count, let range = lowercased.firstRange(of: key) else { return key }
        let offset = lowercased.utf8.distance(from: lowercased.startIndex, to: range.lowerBound)
        return String(decoding: source.utf8.dropFirst(offset).prefix(key.utf8.count), as: UTF8.self)
    }
}
