import WireFormats

/// The reason why a service-linked role is not changed.
package enum ServiceLinkedRoleRefusal: Error, Equatable {
    /// The account has a role of this name already.
    case alreadyExists(String)
    /// The account has no service-linked role of this name.
    case noSuchRole(String)
}

extension Role {
    /// The beginning of the paths of service-linked roles.
    package static let servicePath = "/aws-service-role/"

    /// Whether the role belongs to a service of AWS. (IAM User Guide, "Using service-linked roles".)
    package var isServiceLinked: Bool { path.hasPrefix(Self.servicePath) }
}

extension Directory {
    /// Adds a service-linked role.
    /// - Throws: `alreadyExists`.
    package mutating func createServiceLinkedRole(_ role: Role) throws(ServiceLinkedRoleRefusal) {
        guard self.role(role.name, in: role.account) == nil else { throw .alreadyExists(role.name) }
        put(.role(role))
    }

    /// Deletes a service-linked role. No service of the sandbox uses it, so nothing prevents the deletion.
    /// - Throws: `noSuchRole`.
    package mutating func deleteServiceLinkedRole(_ name: String, in account: String) throws(ServiceLinkedRoleRefusal) {
        guard let role = role(name, in: account)?.role, role.isServiceLinked else { throw .noSuchRole(name) }
        remove(.init(.role, role.arn))
    }
}
