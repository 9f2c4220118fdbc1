import WireFormats

extension Directory {
    /// Adds a role.
    /// - Parameter limit: the number of roles that an account can have, or `nil` if there is no limit.
    /// - Throws: `alreadyExists` or `limitExceeded`, in this order.
    package mutating func createRole(_ role: Role, limit: Int? = nil) throws(DirectoryRefusal) {
        guard self.role(role.name, in: role.account) == nil else { throw .alreadyExists(role.name) }
        if let limit, roles.count >= limit, roles.values.count(where: { $0.role.account == role.account }) >= limit {
            throw .limitExceeded(.rolesOfAccount, limit)
        }
        put(.role(role))
    }

    /// Changes a role. Of a service-linked role only the description can change, and nothing of a role that Identity Center has made.
    /// (IAM User Guide, "Edit a service-linked role description".)
    /// - Parameters:
    ///   - isDescription: whether `change` changes nothing but the description.
    ///   - change: changes the record, but not its account, path and name.
    /// - Returns: the role after the change.
    /// - Throws: `noSuchRole` or `protectedRole`, in this order.
    @discardableResult
    package mutating func updateRole(
        _ name: String, in account: String, isDescription: Bool = false, _ change: (inout Role) -> Void
    ) throws(DirectoryRefusal) -> Role {
        guard var role = role(name, in: account)?.role else { throw .noSuchRole(name) }
        guard isDescription && role.isServiceLinked || !role.isProtected else { throw .protectedRole(role.name) }
        change(&role)
        put(.role(role))
        return role
    }

    /// Deletes a role that does not belong to a service.
    /// - Parameter holdings: what prevents the deletion, in the order in which it is reported.
    /// - Throws: `noSuchRole`, `protectedRole`, or `notEmpty` with the first of `holdings` that the role has.
    package mutating func deleteRole(
        _ name: String, in account: String, unlessHolding holdings: [DirectoryRefusal.Holding]
    ) throws(DirectoryRefusal) {
        let role = try modifiable(Role.self, name, in: account)
        if let holding = holdings.first(where: { has($0, role) }) { throw .notEmpty(holding) }
        remove(.init(.role, role.arn))
    }

    private func has(_ holding: DirectoryRefusal.Holding, _ role: Role) -> Bool {
        switch holding {
        case .instanceProfiles: instanceProfiles.values.contains { $0.account == role.account && $0.role == role.name }
        case .attachedPolicies: !role.attachedPolicies.isEmpty
        case .inlinePolicies: !role.policies.isEmpty
        default: false
        }
    }
}
