package import WireFormats

/// What `GET /usage` returns.
package struct UsageMembers: DeclaredMembers {
    package var (enabled, complete) = (flag("enabled"), flag("complete"))
    package var (bytes, capacity, total) = (integer("bytes"), integer("capacity"), integer("total"))
    package var questions = list(of: QuestionMembers.self, "questions")
}

/// A distinct request that policies decided.
package struct QuestionMembers: DeclaredMembers {
    package var (caller, operation, action, resource) = (text("caller"), text("operation"), text("action"), text("resource"))
    package var (allowed, served, count) = (flag("allowed"), flag("served"), integer("count"))
    /// The values of each condition key.
    package var context = anything("context").described(by: ["type": "object", "additionalProperties": Schemas.list(Schemas.text)])
    package var policies = list(of: AppliedPolicyMembers.self, "policies")
}

/// A policy that applied to a request.
package struct AppliedPolicyMembers: DeclaredMembers { package var (policyType, policy) = (text("policy_type"), text("policy")) }

/// What `GET /usage/policy` returns.
package struct LeastPolicyMembers: DeclaredMembers {
    package var (principal, complete) = (text("principal"), flag("complete"))
    /// The policy; `null` if no policy is needed.
    package var policy = anything("policy").described(by: ["type": ["object", "null"]])
    package var (notes, proof) = (texts("notes"), document("proof", ProofMembers.self))
}

/// The result of deciding every recorded request again.
package struct ProofMembers: DeclaredMembers {
    package var (requests, allowed, denied) = (integer("requests"), integer("allowed"), integer("denied"))
    package var failures = texts("failures")
}

/// What `POST /usage/cloudtrail` returns.
package struct DecidedEventsMembers: DeclaredMembers {
    package var events = list(of: DecidedEventMembers.self, "events")
    package var (decided, skipped) = (integer("decided"), integer("skipped"))
}

/// An event of CloudTrail that was decided, or skipped for a reason.
package struct DecidedEventMembers: DeclaredMembers {
    package var (eventID, time, service, event) = (text("event_id"), text("time").orNull, text("service"), text("event"))
    package var (caller, error) = (text("caller").orNull, text("error").orNull)
    package var decisions = list(of: EventDecisionMembers.self, "decisions")
    /// Whether AWS decided in the same way; `null` for an event that was skipped.
    package var agrees = flag("agrees").orNull
    package var reason = text("reason").orNull
}

/// A decision about an event.
package struct EventDecisionMembers: DeclaredMembers {
    package var (action, resource, allowed) = (text("action"), text("resource"), flag("allowed"))
}
