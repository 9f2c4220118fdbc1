import Policy
import Testing
import WireFormats

/// A request that a page of the IAM User Guide describes, and the decision that the page states.
struct RuleCase: Sendable, CustomTestStringConvertible {
    var action: String
    var resource: String
    var caller: Principal
    var owner: String
    var keys: [String: ConditionValues]
    var allowed: Bool
    var testDescription: String

    init(
        _ what: String, _ action: String = "s3:GetObject", on resource: String = "arn:aws:s3:::b/k", by caller: Principal = alice,
        owner: String = account, with keys: [String: ConditionValues] = [:], is allowed: Bool
    ) {
        testDescription = what
        self.action = action
        self.resource = resource
        self.caller = caller
        self.owner = owner
        self.keys = keys
        self.allowed = allowed
    }

    var request: RequestContext { PolicyTests.request(action, on: resource, by: caller, owner: owner, with: keys) }

    /// Checks the decision of policies, and that the trace has the same one.
    func check(_ set: PolicySet) {
        let decision = set.decision(for: request)
        #expect(decision.isAllowed == allowed, "\(set.trace(for: request).explanation.joined(separator: "\n"))")
        #expect(set.trace(for: request).decision == decision)
    }

    /// Checks the decision of a single identity policy.
    func check(identity text: String) throws {
        check(PolicySet(identity: [try identityPolicy(text)]))
    }
}

func identityPolicy(_ text: String) throws -> AttachedPolicy {
    AttachedPolicy("identity", try PolicyDocument(parsing: text, kind: .identity))
}

func resourcePolicy(_ text: String, kind: PolicyDocument.Kind = .resource) throws -> AttachedPolicy {
    AttachedPolicy("resource", try PolicyDocument(parsing: text, kind: kind))
}
