import Policy
import WireFormats

/// Evaluates the actions of a simulation with the engine that decides real requests.
/// (IAM User Guide, "IAM policy testing with the IAM policy simulator".)
struct Simulator: Sendable {
    private let policies: [SimulatedPolicy]
    private let set: PolicySet
    /// The same without a resource policy. The simulator ignores it for the actions that assume roles (observed of AWS).
    private let setOfAssumptions: PolicySet
    /// The organization's policies by level.
    private let organization: [PolicySet]
    private let caller: Principal
    private let keys: ConditionKeys
    /// The account that owns resources whose ARN contains no account; `nil` if there is no resource policy, so that the owner is
    /// irrelevant.
    private let owner: String?
    /// The condition keys that policies use but the request does not set.
    private let missingKeys: [String]
    private let spans: [[(start: TextPosition, end: TextPosition)]]

    /// - Parameters:
    ///   - caller: the principal; `callerKeys` are the condition keys that follow from it.
    ///   - owner: the account that owns resources whose ARN contains no account.
    init(
        policies: [SimulatedPolicy], organization: [[SimulatedPolicy]], caller: Principal, callerKeys: [String: String], owner: String,
        context: [SimulationRequest.ContextEntry]
    ) {
        self.policies = policies
        // A trace identifies a policy only by its label, so the label is its index.
        func attached(_ kind: SimulatedPolicy.Kind) -> [AttachedPolicy] {
            policies.enumerated().filter { $0.element.kind == kind }.map { AttachedPolicy(String($0.offset), $0.element.document) }
        }
        let resource = attached(.resource).first { $0.document.kind == .resource }
        set = PolicySet(identity: attached(.identity), boundary: attached(.boundary).first, resource: resource)
        setOfAssumptions = PolicySet(identity: set.identity, boundary: set.boundary)
        self.organization = organization.map { level in
            PolicySet(identity: level.map { AttachedPolicy($0.sourceID, $0.document) })
        }
        self.caller = caller
        self.owner = set.resource == nil ? nil : owner
        var keys = ConditionKeys()
        for (name, value) in callerKeys { keys.set(name, to: value) }
        keys.set(context.map { (key: $0.name, values: $0.values) })
        self.keys = keys
        let given = Set(context.map { $0.name.lowercased() } + callerKeys.keys.filter { $0 != "aws:userid" })
        var named: [String] = []
        var known: Set<String> = []
        for name in policies.flatMap({ (try? ContextKeyNames.names(in: $0.document.json)) ?? [] })
        where name.contains(":") && !given.contains(name.lowercased()) {
            if known.insert(name).inserted { named.append(name) }
        }
        missingKeys = named
        spans = policies.map { StatementPositions.find(in: $0.text) }
    }

    func decision(on action: String, _ resource: String) -> SimulatedDecision {
        let isAssumption = action.lowercased().hasPrefix("sts:assume")
        let set = isAssumption ? setOfAssumptions : self.set
        let resourceAccount = (isAssumption ? nil : owner).map { Self.account(of: resource) ?? $0 } ?? caller.account ?? ""
        let request = RequestContext(
            action: action, resource: resource, principal: caller, resourceAccount: resourceAccount, keys: keys)
        var result = SimulatedDecision(
            resource: resource, decision: .implicitDeny, statements: [], missingKeys: [], allowedByBoundary: nil,
            allowedByOrganizations: organization.isEmpty ? nil : true, details: [:])
        if let refusal = organizationRefusal(request) {
            result.decision = refusal
            result.allowedByOrganizations = false
            return result
        }
        let trace = set.trace(for: request)
        // An action never applies to another service's resources.
        let isPossible = Self.serves(action, resource)
        result.decision = isPossible ? EvaluationDecision(trace.decision) : .implicitDeny
        if set.boundary != nil { result.allowedByBoundary = Self.decision(of: .permissionsBoundary, in: trace) == .allowed }
        if resourceAccount != caller.account {
            result.details[.identity] = Self.decision(of: .identityBased, in: trace)
            result.details[.resource] = Self.decision(of: .resourceBased, in: trace)
            if set.boundary != nil { result.details[.boundary] = Self.decision(of: .permissionsBoundary, in: trace) }
        }
        switch result.decision {
        case .implicitDeny: result.missingKeys = missingKeys
        case .allowed: result.statements = statements(trace.entries.filter { !$0.isDeny && $0.type != .permissionsBoundary })
        case .explicitDeny: result.statements = statements(trace.entries.filter(\.isDeny))
        }
        return result
    }

    /// Returns the denial by the policies of an organization: at every level a policy must allow, and none may deny.
    private func organizationRefusal(_ request: RequestContext) -> EvaluationDecision? {
        var request = request
        request.resourceAccount = caller.account ?? ""
        let refusals = organization.map { EvaluationDecision($0.decision(for: request)) }.filter { $0 != .allowed }
        return refusals.max()
    }

    private func statements(_ entries: [DecisionTrace.Entry]) -> [MatchedStatement] {
        entries.filter { $0.mismatch == nil }.compactMap { entry in
            guard let index = Int(entry.policy), policies.indices.contains(index) else { return nil }
            let origin = TextPosition(line: 1, column: 1)
            let span = spans[index].indices.contains(entry.index) ? spans[index][entry.index] : (origin, origin)
            return MatchedStatement(sourceID: policies[index].sourceID, kind: policies[index].kind, start: span.0, end: span.1)
        }
    }

    /// Returns the decision of the policies of one type alone.
    private static func decision(of type: PolicyType, in trace: DecisionTrace) -> EvaluationDecision {
        let applying = trace.entries.filter { $0.type == type && $0.mismatch == nil }
        if applying.contains(where: \.isDeny) { return .explicitDeny }
        return applying.isEmpty ? .implicitDeny : .allowed
    }

    /// Returns the account in an ARN, if it has one.
    private static func account(of arn: String) -> String? {
        let fields = arn.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        return fields.count == 6 && fields[4].utf8.count == 12 ? String(fields[4]) : nil
    }

    /// Returns whether the resource can belong to the action's service, as far as known (observed of AWS).
    private static func serves(_ action: String, _ resource: String) -> Bool {
        let services: [String: Set<Substring>] = [
            "s3": ["s3"], "iam": ["iam"], "sts": ["iam", "sts"], "sqs": ["sqs"], "sns": ["sns"], "kms": ["kms"], "lambda": ["lambda"],
            "ec2": ["ec2"], "dynamodb": ["dynamodb"],
        ]
        let fields = resource.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count == 6, let service = services[action.prefix { $0 != ":" }.lowercased()] else { return true }
        return fields[2].contains { "*?".contains($0) } || service.contains(fields[2])
    }
}
