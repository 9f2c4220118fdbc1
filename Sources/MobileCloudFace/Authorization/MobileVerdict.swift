import Calls
import Cloud
import Policy
import WireFormats

/// What was decided about a call of the mobile cloud, and from which statements.
///
/// Access tables of the mobile cloud are policies for the one evaluator, so that the journal and the refusal name the statements.
final class MobileVerdict: DecisionEvidence {
    private let caller: String
    private let question: RequestContext
    private let policies: PolicySet
    let isAllowed: Bool

    /// - Parameters:
    ///   - caller: whose roles and login the statements are compared with.
    ///   - policy: what the journal calls the access table.
    ///   - statements: of a resource policy.
    /// - Throws: ``MobileError`` for statements that are no policy.
    init(
        _ caller: MobileCaller, asksFor action: String, on resource: String, policy: String, statements: [JSONValue]
    ) throws(MobileError) {
        var keys = ConditionKeys()
        keys.set("mobile:Login", to: caller.login)
        keys.set("mobile:Role", to: caller.roles.sorted())
        // Callers are no principals of AWS: what counts of them is in the keys.
        question = RequestContext(action: action, resource: resource, principal: .anonymous, resourceAccount: "", keys: keys)
        self.caller = caller.name ?? "anonymous"
        if statements.isEmpty {
            policies = PolicySet()
        } else {
            guard let document = try? PolicyDocument(json: ["Statement": .array(statements)], kind: .resource) else {
                throw MobileError(.internalError, "The \(policy) is not a policy.")
            }
            policies = PolicySet(resource: AttachedPolicy(policy, document))
        }
        isAllowed = policies.decision(for: question).isAllowed
    }

    /// Writes the decision to the journal.
    func note(on call: Call) {
        call.note(JournalDecision(action: question.action, resource: question.resource, allowed: isAllowed, evidence: self))
    }

    /// A sentence with the statements that were considered: what was asked for, which roles allow it, and which the caller has.
    var explanation: String { trace.explanation.joined(separator: "; ") + "." }

    var trace: DecisionTrace {
        var trace = policies.trace(for: question)
        trace.request.principal = caller
        return trace
    }

    /// Roles decide here: no statement of a policy can be added.
    var remedy: Remedy? { nil }

    var message: JSONValue {
        [
            "allowed": .bool(isAllowed), "action": .string(question.action), "resource": .string(question.resource),
            "context": ["principal": .string(caller)],
        ]
    }
}

extension MobileCaller {
    /// The value of the condition key `mobile:Login`.
    fileprivate var login: String? {
        switch identity {
        case .anonymous: nil
        case .user, .virtual: "Enterprise"
        case .social: "Social Identity"
        }
    }
}
