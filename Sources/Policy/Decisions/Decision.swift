/// The kinds of policy that have a say in a request. The raw value is AWS's name for it in a refusal.
package enum PolicyType: String, Hashable, Sendable {
    case identityBased = "identity-based policy"
    case resourceBased = "resource-based policy"
    case permissionsBoundary = "permissions boundary"
    case session = "session policy"
    /// It can only grant, so that no refusal names it.
    case accessControlList = "access control list"
    case roleTrust = "role trust policy"
}

/// Whether a request is allowed, and what decided.
package struct Decision: Hashable, Sendable {
    /// What a decision says.
    package enum Outcome: Hashable, Sendable {
        case allowed
        /// A statement that applies says Deny.
        case explicitDeny(in: PolicyType)
        /// Nothing says Deny, but a policy of this type would have to allow and does not.
        case implicitDeny(missing: PolicyType)
    }

    /// What the decision says.
    package var outcome: Outcome
    /// The ARN of the managed policy that says Deny, where one does and the caller may know.
    package var policyARN: String?

    package init(_ outcome: Outcome, policyARN: String? = nil) {
        self.outcome = outcome
        self.policyARN = policyARN
    }

    /// Whether the request is allowed.
    package var isAllowed: Bool { outcome == .allowed }

    /// AWS's wording of why a request was refused (IAM User Guide, "Troubleshoot access denied error messages"), such as
    /// `because no identity-based policy allows the s3:GetObject action`; nil if it is allowed. Since January 2026 a denial ends with the
    /// ARN of the policy (AWS Security Blog, "Enhanced access denied error messages with policy ARNs").
    package func reason(action: String) -> String? {
        switch outcome {
        case .allowed: nil
        case .explicitDeny(let type):
            "with an explicit deny in \(type == .identityBased ? "an" : "a") \(type.rawValue)" + (policyARN.map { ": \($0)" } ?? "")
        case .implicitDeny(let type): "because no \(type.rawValue) allows the \(action) action"
        }
    }

    /// AWS's sentence for a refusal: who may not do what, and the ``reason(action:)``; nil if the request is allowed.
    package func message(for request: RequestContext) -> String? {
        reason(action: request.action).map {
            "User: \(request.principal.name) is not authorized to perform: \(request.action) on resource: \(request.resource) \($0)"
        }
    }
}
