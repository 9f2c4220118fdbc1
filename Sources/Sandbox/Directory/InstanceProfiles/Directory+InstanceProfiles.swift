import WireFormats

/// The reason why an instance profile is not changed.
package enum InstanceProfileRefusal: Error, Equatable {
    /// The account has an instance profile of this name already.
    case alreadyExists(String)
    /// The account has no instance profile of this name.
    case noSuchProfile(String)
    /// The account has no role of this name.
    case noSuchRole(String)
    /// The role belongs to a service of AWS.
    case protectedRole(String)
    /// The instance profile has as many roles as it can have.
    case limitExceeded(Int)
    /// The instance profile does not have this role.
    case roleNotInProfile(role: String, profile: String)
    /// The instance profile has a role, so that it cannot be deleted.
    case notEmpty
}

extension Directory {
    /// The instance profiles that have a role, by name without regard to case.
    package func instanceProfiles(holding role: Role) -> [InstanceProfile] {
        instanceProfiles.values.filter { $0.account == role.account && $0.role == role.name }
            .sorted { $0.name.lowercased() < $1.name.lowercased() }
    }

    /// Adds an instance profile.
    /// - Throws: `alreadyExists`.
    package mutating func createInstanceProfile(_ profile: InstanceProfile) throws(InstanceProfileRefusal) {
        guard instanceProfile(profile.name, in: profile.account) == nil else { throw .alreadyExists(profile.name) }
        put(.instanceProfile(profile))
    }

    /// Deletes an instance profile without a role.
    /// - Throws: `noSuchProfile` or `notEmpty`, in this order.
    package mutating func deleteInstanceProfile(_ name: String, in account: String) throws(InstanceProfileRefusal) {
        guard let profile = instanceProfile(name, in: account) else { throw .noSuchProfile(name) }
        guard profile.role == nil else { throw .notEmpty }
        remove(.init(.instanceProfile, profile.arn))
    }

    /// Puts a role in an instance profile, which can have one. (IAM User Guide, "IAM and AWS STS quotas".)
    /// - Throws: `noSuchProfile`, `noSuchRole`, `protectedRole` or `limitExceeded`, in this order.
    package mutating func addRole(_ roleName: String, toInstanceProfile name: String, in account: String) throws(InstanceProfileRefusal) {
        guard var profile = instanceProfile(name, in: account) else { throw .noSuchProfile(name) }
        guard let role = role(roleName, in: account)?.role else { throw .noSuchRole(roleName) }
        guard !role.isProtected else { throw .protectedRole(role.name) }
        guard profile.role == nil else { throw .limitExceeded(1) }
        profile.role = role.name
        put(.instanceProfile(profile))
    }

    /// Takes a role out of an instance profile.
    /// - Throws: `noSuchProfile` or `roleNotInProfile`, in this order.
    package mutating func removeRole(
        _ roleName: String, fromInstanceProfile name: String, in account: String
    ) throws(InstanceProfileRefusal) {
        guard var profile = instanceProfile(name, in: account) else { throw .noSuchProfile(name) }
        guard let held = profile.role, held.lowercased() == roleName.lowercased() else {
            throw .roleNotInProfile(role: roleName, profile: name)
        }
        profile.role = nil
        put(.instanceProfile(profile))
    }
}
