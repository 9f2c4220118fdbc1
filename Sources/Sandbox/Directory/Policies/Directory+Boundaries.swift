import WireFormats

/// The reason why a managed policy cannot be attached, or a permissions boundary removed.
package enum AttachmentRefusal: Error, Equatable {
    /// The account has no managed policy with this ARN, nor has AWS.
    case noSuchPolicy(String)
    /// The policy is for service-linked roles only.
    case serviceRolePolicy
    /// The user or role of this name has no permissions boundary.
    case noBoundary(String)
}

/// A user or role, whose permissions a managed policy can bound. (IAM User Guide, "Permissions boundaries for IAM entities".)
package protocol BoundedHolder: PolicyHolder {
    /// The ARN of the policy that is the permissions boundary.
    var boundary: String? { get set }
}

extension User: BoundedHolder {}

extension Role: BoundedHolder {}

extension BoundedHolder {
    /// Removes the permissions boundary.
    /// - Throws: `noBoundary`.
    package mutating func removeBoundary() throws(AttachmentRefusal) {
        guard boundary != nil else { throw .noBoundary(name) }
        boundary = nil
    }
}

extension Directory {
    /// A managed policy that users, groups and roles of an account can have, as a policy or as a permissions boundary.
    /// (IAM API Reference, "AttachRolePolicy", error `PolicyNotAttachable`.)
    /// - Throws: `noSuchPolicy` or `serviceRolePolicy`, in this order.
    @discardableResult
    package func attachablePolicy(_ arn: String, in account: String) throws(AttachmentRefusal) -> ManagedPolicy {
        guard let policy = policy(arn: arn), policy.account == account || policy.account == "aws" else { throw .noSuchPolicy(arn) }
        guard policy.account != "aws" || !policy.path.hasPrefix(Role.servicePath) else { throw .serviceRolePolicy }
        return policy
    }
}
