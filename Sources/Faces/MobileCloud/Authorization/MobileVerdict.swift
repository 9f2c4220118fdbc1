import Calls
import Cloud
import Policy
import WireFormats

/// The authorization decision about a request to the mobile cloud, with the statements that led to it.
///
/// The access tables of the mobile cloud are evaluated as policies, so the journal and the error can name the statements.
final class MobileVerdict: DecisionEvidence {
    private let caller: String
    private let question: RequestContext
    private let policies: PolicySet
    let isAllowed: Bool

    /// - Parameters:
    /// - caller: the caller whose roles and login the statements are compared with.
    ///   - policy: the name of the access table in the journal.
    ///   - statements: the statements of a resource policy.
    /// - Throws: ``MobileError`` if the statements are not a valid policy.
    init(
        _ caller: MobileCaller, asksFor action: String, on resource: String, policy: String, statements: [JSONValue]
    ) throws(MobileError) {
        var keys = ConditionKeys()
        keys.set("mobile:Login", to: caller.login)
        keys.set("mobile:Role", to: caller.roles.sorted())
        // Mobile callers are not AWS principals; the condition keys describe them.
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

    /// Records the decision in the journal.
    func note(on call: Call) {
        call.note(JournalDecision(action: question.action, resource: question.resource, allowed: isAllowed, evidence: self))
    }

    /// A sentence that explains the decision: the requested action, the roles that allow it, and the roles of the caller.
    var explanation: String { trace.explanation.joined(separator: "; ") + "." }

    var trace: DecisionTrace {
        var trace = policies.trace(for: question)
        trace.request.principal = caller
        return trace
    }

    /// Roles decide here: adding a statement to a policy cannot help.
    var remedy: Remedy? { nil }

    /// The statements of the access table, each with the reason why it does or does not apply. The members are those of the messages of AWS.
    var message: JSONValue {
        [
            "allowed": .bool(isAllowed), "action": .string(question.action), "resource": .string(question.resource),
            "statements": ["items": .array(trace.entries.map { ["value": .string($0.explanation)] })],
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
