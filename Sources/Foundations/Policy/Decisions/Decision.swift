import WireFormats

/// The types of policies that apply to a request. The raw value is AWS's name for the type in an access denied error.
package enum PolicyType: String, Hashable, Sendable {
    case identityBased = "identity-based policy"
    case resourceBased = "resource-based policy"
    case permissionsBoundary = "permissions boundary"
    case session = "session policy"
    /// An access control list can only grant, so no error names it.
    case accessControlList = "access control list"
    case roleTrust = "role trust policy"
}

/// Whether a request is allowed, and which policy decided.
package struct Decision: Hashable, Sendable {
    /// The outcomes of a decision.
    package enum Outcome: Hashable, Sendable {
        case allowed
        /// A matching statement has the effect Deny.
        case explicitDeny(in: PolicyType)
        /// No statement denies, but a policy of this type is required to allow and does not.
        case implicitDeny(missing: PolicyType)
    }

    /// The outcome.
    package var outcome: Outcome
    /// The ARN of the managed policy that denies, if there is one and the caller may know it.
    package var policyARN: String?

    package init(_ outcome: Outcome, policyARN: String? = nil) {
        self.outcome = outcome
        self.policyARN = policyARN
    }

    /// Whether the request is allowed.
    package var isAllowed: Bool { outcome == .allowed }

    /// Returns AWS's wording of why a request was denied (IAM User Guide, "Troubleshoot access denied error messages"), such as
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

    /// Returns AWS's sentence for a denial: the principal, the action, and the ``reason(action:)``; nil if the request is allowed.
    package func message(for request: RequestContext) -> String? {
        reason(action: request.action).map {
            "User: \(request.principal.name) is not authorized to perform: \(request.action) on resource: \(request.resource) \($0)"
        }
    }
}
