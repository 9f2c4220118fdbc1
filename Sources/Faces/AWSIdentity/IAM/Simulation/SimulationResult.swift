import Policy
import WireFormats

/// The outcomes of a simulation, in the words of the service model, in ascending order of restriction.
enum EvaluationDecision: String, Comparable, Sendable {
    case allowed, implicitDeny, explicitDeny

    private var rank: Int {
        switch self {
        case .allowed: 0
        case .implicitDeny: 1
        case .explicitDeny: 2
        }
    }

    static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    init(_ decision: Decision) {
        self =
            switch decision.outcome {
            case .allowed: .allowed
            case .explicitDeny: .explicitDeny
            case .implicitDeny: .implicitDeny
            }
    }
}

/// The result of one action on one resource. (IAM API Reference, "ResourceSpecificResult".)
struct SimulatedDecision: Sendable {
    var resource: String
    var decision: EvaluationDecision
    var statements: [MatchedStatement]
    var missingKeys: [String]
    /// Whether the boundary allows the action; `nil` if there is no boundary.
    var allowedByBoundary: Bool?
    var allowedByOrganizations: Bool?
    /// The separate decision of each type of policy, if the request crosses accounts.
    var details: [SimulatedPolicy.Kind: EvaluationDecision]
}

/// A statement that led to a decision. (IAM API Reference, "Statement".)
struct MatchedStatement: Hashable, Sendable {
    var sourceID: String
    var kind: SimulatedPolicy.Kind
    var start: TextPosition
    var end: TextPosition
}

/// The results of one action. (IAM API Reference, "EvaluationResult".)
struct SimulationResult: Sendable {
    var action: String
    /// One decision for each resource in the request, or one for `*`.
    var decisions: [SimulatedDecision]
    /// Whether the request names resources.
    var namesResources: Bool

    private var decision: EvaluationDecision { decisions.map(\.decision).max() ?? .implicitDeny }

    /// The resource in the result: its ARN, or the template of ARNs if there are several.
    private var resourceName: String {
        guard namesResources else { return "*" }
        if decisions.count == 1 { return decisions[0].resource }
        return Self.templates[action.prefix { $0 != ":" }.lowercased()] ?? "*"
    }

    /// The templates of ARNs by the prefix of actions, as in the simulator's results (observed of AWS).
    private static let templates = [
        "s3": "arn:aws:s3:::${BucketName}/${KeyName}", "iam": "arn:aws:iam::${Account}:${ResourceType}/${ResourceName}",
        "sts": "arn:aws:iam::${Account}:${RelativeId}", "sqs": "arn:aws:sqs:${Region}:${Account}:${QueueName}",
        "kms": "arn:aws:kms:${Region}:${Account}:${ResourceType}/${Id}",
        "lambda": "arn:aws:lambda:${Region}:${Account}:${ResourceType}:${ResourceId}",
        "ec2": "arn:aws:ec2:${Region}:${Account}:${ResourceType}/${ResourcePath}",
    ]

    func encode(into xml: inout XMLWriter) {
        xml.element("EvalActionName", action)
        xml.element("EvalResourceName", resourceName)
        xml.element("EvalDecision", decision.rawValue)
        xml.statements(unique(decisions.flatMap(\.statements)))
        xml.missingKeys(unique(decisions.flatMap(\.missingKeys)))
        if let organizations = decisions.compactMap(\.allowedByOrganizations).least {
            xml.element("OrganizationsDecisionDetail") { $0.element("AllowedByOrganizations", organizations) }
        }
        if let boundary = decisions.compactMap(\.allowedByBoundary).least { xml.boundary(allows: boundary) }
        guard namesResources else { return }
        var details: [SimulatedPolicy.Kind: EvaluationDecision] = [:]
        for decision in decisions { details.merge(decision.details, uniquingKeysWith: max) }
        xml.details(details)
        xml.element("ResourceSpecificResults") { xml in
            for decision in decisions { xml.element("member") { decision.encode(into: &$0) } }
        }
    }

    private func unique<Item: Hashable>(_ items: [Item]) -> [Item] {
        var seen: Set<Item> = []
        return items.filter { seen.insert($0).inserted }
    }
}

extension SimulatedDecision {
    fileprivate func encode(into xml: inout XMLWriter) {
        xml.element("EvalResourceName", resource)
        xml.element("EvalResourceDecision", decision.rawValue)
        xml.statements(statements)
        xml.missingKeys(missingKeys)
        if !details.isEmpty { xml.details(details) }
        if let allowedByBoundary { xml.boundary(allows: allowedByBoundary) }
    }
}

extension [Bool] {
    /// False if any element is false; nil if there are no elements.
    fileprivate var least: Bool? { isEmpty ? nil : allSatisfy(\.self) }
}

extension XMLWriter {
    fileprivate mutating func statements(_ statements: [MatchedStatement]) {
        element("MatchedStatements") { xml in
            for statement in statements {
                xml.element("member") { xml in
                    xml.element("SourcePolicyId", statement.sourceID)
                    xml.element("SourcePolicyType", statement.kind.rawValue)
                    xml.position("StartPosition", statement.start)
                    xml.position("EndPosition", statement.end)
                }
            }
        }
    }

    private mutating func position(_ name: String, _ position: TextPosition) {
        element(name) { xml in
            xml.element("Line", position.line)
            xml.element("Column", position.column)
        }
    }

    fileprivate mutating func missingKeys(_ keys: [String]) {
        element("MissingContextValues") { xml in
            for key in keys { xml.element("member", key) }
        }
    }

    fileprivate mutating func boundary(allows: Bool) {
        element("PermissionsBoundaryDecisionDetail") { $0.element("AllowedByPermissionsBoundary", allows) }
    }

    fileprivate mutating func details(_ details: [SimulatedPolicy.Kind: EvaluationDecision]) {
        element("EvalDecisionDetails") { xml in
            for (kind, decision) in details.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                xml.element("entry") { xml in
                    xml.element("key", kind.rawValue)
                    xml.element("value", decision.rawValue)
                }
            }
        }
    }
}
