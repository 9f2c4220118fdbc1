package import Policy
import WireFormats

/// A user with the policies that apply to it, which are collected in advance.
///
/// A class, because every signed request carries a reference to one.
package final class UserEntry: Sendable {
    /// The user.
    package let user: User
    /// The ARN of the user.
    package let arn: String
    /// The user's policies and those of the user's groups, compiled.
    package let policies: HeldPolicies

    init(user: User, policies: HeldPolicies) {
        self.user = user
        arn = user.arn
        self.policies = policies
    }
}

/// A role with the policies that apply to its sessions, which are collected in advance.
package final class RoleEntry: Sendable {
    /// The role.
    package let role: Role
    /// The ARN of the role.
    package let arn: String
    /// The role's policies, compiled.
    package let policies: HeldPolicies
    /// The last activity of its sessions.
    package let activity: LastActivity

    init(role: Role, policies: HeldPolicies, activity: LastActivity) {
        self.role = role
        arn = role.arn
        self.policies = policies
        self.activity = activity
    }
}

/// The identity policies and the permissions boundary of a user or role.
package struct HeldPolicies: Sendable {
    /// Inline and managed policies: those of the principal and, for a user, of its groups.
    package var identity: [AttachedPolicy]
    /// The permissions boundary, or `nil` if there is none.
    package var boundary: AttachedPolicy?
}

extension Directory {
    /// Returns the policies of a user as the directory is now: its own, then those of its groups.
    func policies(of user: User) -> HeldPolicies {
        var policies = user.policies.map { $0.attached(to: .user, user.name) }
        policies += managed(user.attachedPolicies)
        for name in user.groups {
            guard let group = group(name, in: user.account) else { continue }
            policies += self.policies(of: group)
        }
        return HeldPolicies(identity: policies, boundary: boundary(user.boundary))
    }

    /// Returns the policies of a role as the directory is now.
    func policies(of role: Role) -> HeldPolicies {
        HeldPolicies(
            identity: role.policies.map { $0.attached(to: .role, role.name) } + managed(role.attachedPolicies),
            boundary: boundary(role.boundary))
    }

    /// Returns the policies of a group itself.
    package func policies(of group: Group) -> [AttachedPolicy] {
        group.policies.map { $0.attached(to: .group, group.name) } + managed(group.attachedPolicies)
    }

    /// Returns the documents of those managed policies that exist.
    package func managed(_ arns: [String]) -> [AttachedPolicy] {
        arns.compactMap { arn in policy(arn: arn)?.document.map { AttachedPolicy(arn, $0, origin: .managed(arn: arn)) } }
    }

    /// Returns a permissions boundary. A boundary whose policy was deleted allows nothing.
    private func boundary(_ arn: String?) -> AttachedPolicy? {
        guard let arn else { return nil }
        return AttachedPolicy(arn, policy(arn: arn)?.document ?? .empty, origin: .managed(arn: arn))
    }
}

extension InlinePolicy {
    /// Returns the policy with a label and an origin that name its holder.
    fileprivate func attached(to kind: PolicyHolderKind, _ holder: String) -> AttachedPolicy {
        AttachedPolicy(
            kind == .group ? "\(name) of group \(holder)" : name, document, origin: .inline(kind, holder, name: name))
    }
}

extension Directory {
    /// Returns the unique identifier of a user or role, given its ARN or that identifier; `nil` if there is none.
    package func uniqueID(ofPrincipal name: String) -> String? {
        // Names are compared byte by byte: equal strings can have different characters.
        if let role = role(arn: name), role.arn.utf8.elementsEqual(name.utf8) { return role.role.id }
        if let user = user(arn: name), user.arn.utf8.elementsEqual(name.utf8) { return user.user.id }
        return arn(ofPrincipal: name) == nil ? nil : name
    }

    /// Returns the ARN of the user or role with a unique identifier; `nil` if there is none.
    package func arn(ofPrincipal id: String) -> String? {
        users.values.first { $0.user.id == id }?.arn ?? roles.values.first { $0.role.id == id }?.arn
    }
}
