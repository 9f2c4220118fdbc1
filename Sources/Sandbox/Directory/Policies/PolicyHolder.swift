package import WireFormats

/// An entity that managed policies can be attached to: a user, a group or a role.
package protocol PolicyHolder: Sendable {
    /// Returns the holder with a name, or `nil` if the account has none of this kind.
    static func find(_ name: String, in directory: Directory, account: String) -> Self?
    var name: String { get }
    var arn: String { get }
    var created: Timestamp { get }
    /// Inline policies.
    var policies: [InlinePolicy] { get set }
    /// ARNs of managed policies, in the order in which they were attached.
    var attachedPolicies: [String] { get set }
    /// When policies were attached, by ARN. Only RAM returns the dates.
    var attachmentDates: [String: Timestamp]? { get set }
    var record: DirectoryRecord { get }
    /// Whether it belongs to a service of AWS, which alone can change it.
    var isProtected: Bool { get }
    /// The refusal if the account has no holder of a name.
    static func missing(_ name: String) -> DirectoryRefusal
}

extension PolicyHolder {
    /// Most records do not belong to a service.
    package var isProtected: Bool { false }

    /// When a policy was attached. Policies that a seed attached have the date of the holder.
    package func attachmentDate(of policy: String) -> Timestamp { attachmentDates?[policy] ?? created }

    /// Attaches a managed policy.
    /// - Parameters:
    ///   - policy: the ARN.
    ///   - time: when it is attached, or `nil` if the cloud does not store it.
    ///   - limit: the number of policies that can be attached.
    ///   - isCounted: returns whether the policy with an ARN counts towards the limit.
    /// - Throws: `alreadyAttached` or `limitExceeded`, in this order.
    package mutating func attach(
        _ policy: String, at time: Timestamp? = nil, limit: Int, counting isCounted: (String) -> Bool = { _ in true }
    ) throws(DirectoryRefusal) {
        guard !attachedPolicies.contains(policy) else { throw .alreadyAttached(policy) }
        guard attachedPolicies.count(where: isCounted) < limit else { throw .limitExceeded(.attachedPolicies, limit) }
        attachedPolicies.append(policy)
        if let time { attachmentDates = (attachmentDates ?? [:]).merging([policy: time]) { $1 } }
    }

    /// Detaches a managed policy.
    /// - Throws: `notAttached`.
    package mutating func detach(_ policy: String) throws(DirectoryRefusal) {
        guard let index = attachedPolicies.firstIndex(of: policy) else { throw .notAttached(policy) }
        attachedPolicies.remove(at: index)
        attachmentDates?[policy] = nil
    }
}

extension User: PolicyHolder {
    package static func find(_ name: String, in directory: Directory, account: String) -> User? { directory.user(name, in: account)?.user }
    package var record: DirectoryRecord { .user(self) }
    package static func missing(_ name: String) -> DirectoryRefusal { .noSuchUser(name) }
}

extension Group: PolicyHolder {
    package static func find(_ name: String, in directory: Directory, account: String) -> Group? { directory.group(name, in: account) }
    package var record: DirectoryRecord { .group(self) }
    package static func missing(_ name: String) -> DirectoryRefusal { .noSuchGroup(name) }
}

extension Role: PolicyHolder {
    package static func find(_ name: String, in directory: Directory, account: String) -> Role? { directory.role(name, in: account)?.role }
    package var record: DirectoryRecord { .role(self) }
    package var isProtected: Bool { isServiceLinked || isReserved }
    package static func missing(_ name: String) -> DirectoryRefusal { .noSuchRole(name) }
}

extension Directory {
    /// Changes a user, group or role that does not belong to a service.
    /// - Parameter change: changes the record, but not its account, path and name.
    /// - Throws: `DirectoryRefusal` if there is no holder of this name or it is protected, or what `change` throws.
    package mutating func updateHolder<Holder: PolicyHolder>(
        _: Holder.Type, _ name: String, in account: String, _ change: (inout Holder, Directory) throws -> Void
    ) throws {
        var holder = try modifiable(Holder.self, name, in: account)
        try change(&holder, self)
        put(holder.record)
    }

    /// A user, group or role that does not belong to a service.
    /// - Throws: `noSuchUser`, `noSuchGroup`, `noSuchRole` or `protectedRole`.
    package func modifiable<Holder: PolicyHolder>(
        _: Holder.Type, _ name: String, in account: String
    ) throws(DirectoryRefusal) -> Holder {
        guard let holder = Holder.find(name, in: self, account: account) else { throw Holder.missing(name) }
        guard !holder.isProtected else { throw .protectedRole(holder.name) }
        return holder
    }
}
