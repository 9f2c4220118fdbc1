package import WireFormats

/// A decision of policies, with every statement that was evaluated.
package struct DecisionMembers: DeclaredMembers {
    package var (decision, principal) = (text("decision"), text("principal"))
    package var (action, resource, reason) = (text("action"), text("resource"), text("reason").orNull)
    package var (statements, explanation) = (list(of: StatementMembers.self, "statements"), texts("explanation"))
    /// How far the evaluation came. Decisions without policies have no stages.
    package var stages = list(of: StageMembers.self, "stages").omitted
    package var (remedy, message) = (list(of: RemedyMembers.self, "remedy").omitted, text("message").omitted)
    /// Policies that the question asked for, and whether it had policies of its own.
    package var (policies, assumed) = (list(of: PolicyMembers.self, "policies").omitted, flag("assumed").omitted)
    /// The session of the caller.
    package var session = document("session", SessionMembers.self).orNull
    /// The decision and its explanation, in the journal.
    package var (allowed, trace) = (flag("allowed").omitted, texts("trace").omitted)
}

/// A statement that was evaluated.
package struct StatementMembers: DeclaredMembers {
    package var (policyType, policy, statement, sid) = (text("policy_type"), text("policy"), integer("statement"), text("sid").orNull)
    package var (effect, applies, mismatch) = (text("effect"), flag("applies"), document("mismatch", MismatchMembers.self).omitted)
}

/// The element of a statement that did not match.
package struct MismatchMembers: DeclaredMembers {
    /// The element, and the values of the policy and of the request.
    package var (element, policy, request) = (text("element"), texts("policy"), texts("request").orNull)
}

/// A stage of an evaluation, with its policies.
package struct StageMembers: DeclaredMembers {
    package var (stage, policies, outcome) = (text("stage"), texts("policies"), text("outcome"))
}

/// A step after which a request would be allowed.
package struct RemedyMembers: DeclaredMembers {
    package var (policyType, policy, add) = (text("policy_type"), text("policy"), anything("add").omitted)
    package var remove = document("remove", RemovedStatementMembers.self).omitted
}

/// A statement that is removed.
package struct RemovedStatementMembers: DeclaredMembers { package var (statement, sid) = (integer("statement"), text("sid").orNull) }

/// A policy that was evaluated.
package struct PolicyMembers: DeclaredMembers {
    package var (policyType, policy, document) = (text("policy_type"), text("policy"), anything("document"))
    package var owner = ControlDocuments.document("owner", PolicyOwnerMembers.self).orNull
    package var keys = list(of: PolicyKeyMembers.self, "keys")
}

/// Where a policy is stored: the ARN of a managed one, or the entity of an inline one.
package struct PolicyOwnerMembers: DeclaredMembers {
    package var (arn, kind, name, policy) = (text("arn").omitted, text("kind").omitted, text("name").omitted, text("policy").omitted)
}

/// A condition key that a policy reads.
package struct PolicyKeyMembers: DeclaredMembers {
    package var (name, type, multivalued) = (text("name"), text("type"), flag("multivalued"))
}

/// A session of a role, without its secrets.
package struct SessionMembers: DeclaredMembers {
    package var (arn, accessKeyID, issued, expires) = (text("arn").orNull, text("access_key_id"), date("issued"), date("expires"))
    package var (claims, sourceIdentity) = (anything("claims"), text("source_identity").orNull)
    package var (mfa, sessionPolicies) = (flag("mfa"), texts("session_policies"))
}

/// The decisions of a request, as `POST /explain` returns them.
package struct ExplanationMembers: DeclaredMembers {
    package var (requestID, time, face, operation) = (text("request_id"), date("time"), text("face"), text("operation").orNull)
    package var (caller, status, error, reason) = (text("caller").orNull, integer("status"), text("error").orNull, text("reason").orNull)
    package var decisions = list(of: DecisionMembers.self, "decisions")
}
