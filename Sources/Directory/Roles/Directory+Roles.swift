extension Directory {
    /// Adds a role.
    /// - Parameter limit: the number of roles that an account can have, or `nil` if there is no limit.
    /// - Throws: `alreadyExists` or `limitExceeded`, in this order.
    package mutating func createRole(_ role: Role, limit: Int? = nil) throws(DirectoryRefusal) {
        guard self.role(role.name, in: role.account) == nil else { throw .alreadyExists(role.name) }
        if let limit, roles.values.count(where: { $0.role.account == role.account }) >= limit {
            throw .limitExceeded(.rolesOfAccount, limit)
        }
        put(.role(role))
    }

    /// Deletes a role.
    /// - Parameter holdings: what prevents the deletion, in the order in which it is reported.
    /// - Throws: `noSuchRole`, or `notEmpty` with the first of `holdings` that the role has.
    package mutating func deleteRole(
        _ name: String, in account: String, unlessHolding holdings: [DirectoryRefusal.Holding]
    ) throws(DirectoryRefusal) {
        guard let role = role(name, in: account)?.role else { throw .noSuchRole(name) }
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
