package import Cloud
import Cryptography
import Policy
package import WireFormats

/// The details of a denied request, returned to callers that know its authorization ID: its context, the evaluations, and the policies
/// involved as they were at that time.
///
/// (IAM Toolbox API, version 2018-05-10, "GetRequestAuthorizationDetails" and "GetRequestAuthorizationPolicy".)
package struct AuthorizationDetails: Sendable {
    /// The verdicts in the order of evaluation; at least one.
    private let verdicts: [Authorizer.Verdict]

    /// Creates the details of a denied request.
    /// - Parameters:
    ///   - entry: a request of the journal.
    ///   - account: the account whose principal must have made the request.
    /// - Returns: `nil` if no policy denied the request, or if a principal of another account made it.
    package init?(_ entry: JournalEntry, of account: String) {
        verdicts = entry.decisions.compactMap { $0.evidence as? Authorizer.Verdict }
        guard verdicts.contains(where: { !$0.decision.isAllowed }), verdicts.allSatisfy({ $0.context.principal.account == account }) else {
            return nil
        }
    }

    /// The response of `GetRequestAuthorizationDetails`.
    package var json: JSONValue {
        let names = verdicts.map { Authorizer.globalKeys + $0.policies.conditionKeys }
        let contexts = zip(verdicts, names).map { Self.object($0.context.keys.values(named: $1)) }
        let shared = JSONObject(
            contexts[0].members.lazy.filter { member in
                Self.isGlobal(member.name) && contexts.allSatisfy { $0[member.name] == member.value }
            }.map { ($0.name, $0.value) })
        var policies: [(uri: String, type: PolicyType)] = []
        var described: [JSONValue] = []
        for verdict in verdicts {
            for policy in verdict.consideredPolicies where !policies.contains(where: { $0.uri == policy.uri && $0.type == policy.type }) {
                policies.append((policy.uri, policy.type))
                described.append(policy.json)
            }
        }
        return [
            "requestContext": .object(shared),
            "evaluations": .array(
                zip(verdicts, contexts).map { verdict, context in
                    let own = context.members.lazy.filter { shared[$0.name] == nil }.map { ($0.name, $0.value) }
                    return verdict.evaluation(context: JSONObject(own))
                }),
            "policies": .array(described),
        ]
    }

    /// Returns the document of a policy that ``json`` lists, for `GetRequestAuthorizationPolicy`.
    package func document(ofPolicy uri: String) -> JSONValue? {
        verdicts.lazy.flatMap(\.consideredPolicies).first { $0.uri == uri }?.document
    }

    private static func isGlobal(_ key: String) -> Bool { key.lowercased().hasPrefix("aws:") }

    private static func object(_ keys: [(name: String, values: [String])]) -> JSONObject {
        JSONObject(keys.map { ($0.name, $0.values.count == 1 ? .string($0.values[0]) : .array($0.values.map { .string($0) })) })
    }
}

/// A policy that took part in one evaluation.
private struct ConsideredPolicy {
    let type: PolicyType
    let uri: String
    let isInline: Bool
    let attachedTo: String
    let document: JSONValue

    var json: JSONValue {
        [
            "type": .string(type.detailName), "inline": .bool(isInline), "uri": .string(uri),
            "attachedTo": [["arn": .string(attachedTo)]],
        ]
    }
}

extension Authorizer.Verdict {
    /// The policies in the order of evaluation, without ACLs.
    fileprivate var consideredPolicies: [ConsideredPolicy] {
        let holder = context.principal.policyHolder
        func considered(_ policy: AttachedPolicy, _ type: PolicyType, of arn: String) -> ConsideredPolicy {
            ConsideredPolicy(
                type: type, uri: policy.origin.uri(type, policy.label), isInline: policy.origin.arn == nil, attachedTo: arn,
                document: policy.document.json)
        }
        var all = policies.identity.map { considered($0, .identityBased, of: holder) }
        if let boundary = policies.boundary { all.append(considered(boundary, .permissionsBoundary, of: holder)) }
        all += (policies.session ?? []).map { considered($0, .session, of: holder) }
        if let resource = policies.resource {
            all.append(considered(resource, resource.document.kind == .trust ? .roleTrust : .resourceBased, of: context.resource))
        }
        return all
    }

    fileprivate func evaluation(context keys: JSONObject) -> JSONValue {
        let matches = trace.entries.filter { $0.mismatch == nil && $0.type != .accessControlList }
        var evaluation: JSONObject = [
            "action": .string(context.action), "resource": .string(context.resource), "context": .object(keys),
            "evaluatedEffect": .string(decision.outcome.detailName), "matchedPolicies": .array(Self.policies(matches)),
        ]
        let asked = requirements
        evaluation["checks"] = .array(
            asked.map { name, types in
                let own = matches.filter { types.contains($0.type) }
                let effect =
                    own.contains(where: \.isDeny)
                    ? "EXPLICIT_DENY"
                    : !own.isEmpty ? "ALLOW" : decision.isAllowed ? "NO_IMPACT" : "IMPLICIT_DENY"
                return [
                    "checkType": .string(name), "evaluatedEffect": .string(effect),
                    "relevantPolicyTypes": .array(types.map { .string($0.detailName) }), "matchedPolicies": .array(Self.policies(own)),
                ]
            })
        return .object(evaluation)
    }

    /// The checks that had to allow the request, with the types of policy that each considers.
    ///
    /// The resource policy belongs to the principal's check within an account. It is a separate check across accounts and for a role's
    /// trust policy.
    private var requirements: [(name: String, types: [PolicyType])] {
        let isSeparate = policies.resource?.document.kind == .trust || context.principal.account != context.resourceAccount
        var requirements: [(String, [PolicyType])] = []
        if isSeparate { requirements.append(("RESOURCE", [.resourceBased, .roleTrust])) }
        requirements.append(("PRINCIPAL", isSeparate ? [.identityBased] : [.identityBased, .resourceBased]))
        if policies.boundary != nil { requirements.append(("PERMISSIONS_BOUNDARY", [.permissionsBoundary])) }
        if policies.session != nil { requirements.append(("SESSION", [.session])) }
        return requirements
    }

    /// Returns the policies of these statements, each with its statements.
    private static func policies(_ entries: [DecisionTrace.Entry]) -> [JSONValue] {
        var order: [String] = []
        var statements: [String: [JSONValue]] = [:]
        for entry in entries {
            let uri = entry.origin.uri(entry.type, entry.policy)
            if statements[uri] == nil { order.append(uri) }
            statements[uri, default: []].append([
                "sid": .string(entry.sid ?? "Statement\(entry.index + 1)"), "evaluatedEffect": entry.isDeny ? "DENY" : "ALLOW",
            ])
        }
        return order.map { ["uri": .string($0), "matchedStatements": .array(statements[$0] ?? [])] }
    }
}

extension PolicyOrigin {
    /// Returns the ARN of the policy, or a hash that identifies it if it has none.
    fileprivate func uri(_ type: PolicyType, _ label: String) -> String {
        arn ?? Array(SHA256.hash(Array("\(type.rawValue) \(self) \(label)".utf8)).prefix(16)).hex
    }
}

extension Principal {
    /// The ARN of the entity whose policies apply to the caller: for a session, its role or user.
    fileprivate var policyHolder: String {
        switch identity {
        case .assumedRole(let roleARN, _, _): roleARN
        case .federatedUser(_, let userARN, _): userARN
        default: name
        }
    }
}

extension PolicyType {
    fileprivate var detailName: String {
        switch self {
        case .identityBased: "IDENTITY_BASED_POLICY"
        case .permissionsBoundary: "PERMISSIONS_BOUNDARY"
        case .session: "SESSION_POLICY"
        case .resourceBased, .roleTrust, .accessControlList: "RESOURCE_BASED_POLICY"
        }
    }
}

extension Decision.Outcome {
    fileprivate var detailName: String {
        switch self {
        case .allowed: "ALLOW"
        case .explicitDeny: "EXPLICIT_DENY"
        case .implicitDeny: "IMPLICIT_DENY"
        }
    }
}
