import WireFormats

/// The Principal or NotPrincipal element of a statement, or its absence in an identity policy.
enum PrincipalClause: Hashable, Sendable {
    case absent
    case named([PrincipalElement])
    case allBut([PrincipalElement])

    /// Returns how the clause names the principal; nil if the clause does not cover it.
    func covers(_ principal: Principal) -> Grants? {
        switch self {
        case .absent: return .holder
        case .named(let elements):
            var grants: Grants = []
            for element in elements { grants.formUnion(element.names(principal) ?? []) }
            return grants.isEmpty ? nil : grants
        case .allBut(let elements):
            var names: Grants = []
            for element in elements { names.formUnion(element.names(principal) ?? []) }
            return Self.isExcepted(principal, as: names) ? nil : .notExcepted
        }
    }

    /// Returns whether the exceptions name the principal in each of its capacities. AWS checks the account, the role and the session
    /// separately, so excepting a user but not the account still leaves the account covered.
    private static func isExcepted(_ principal: Principal, as names: Grants) -> Bool {
        if names.contains(.everyone) { return true }
        return switch principal.identity {
        case .anonymous: false
        case .root: names.contains(.account)
        case .user: names.isSuperset(of: [.account, .user])
        case .assumedRole: names.isSuperset(of: [.account, .role, .roleSession])
        case .federatedUser: names.isSuperset(of: [.account, .federatedUser])
        case .federated: names.contains(.provider)
        case .service: names.contains(.service)
        }
    }
}
