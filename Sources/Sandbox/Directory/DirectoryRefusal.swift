/// The reason why an operation on the directory failed without a change. Each cloud reports it with its own error.
package enum DirectoryRefusal: Error, Equatable {
    /// The account has no user of this name.
    case noSuchUser(String)
    /// The account has no group of this name.
    case noSuchGroup(String)
    /// The account has no role of this name.
    case noSuchRole(String)
    /// There is no managed policy with this ARN.
    case noSuchPolicy(String)
    /// The managed policy has no version of this number.
    case noSuchVersion(Int)
    /// The user has no access key with this identifier.
    case noSuchAccessKey(String)
    /// Another user, group or role of the account has this name.
    case alreadyExists(String)
    /// The role of this name belongs to a service of AWS.
    case protectedRole(String)
    /// Another managed policy of the account has this name.
    case policyAlreadyExists(String)
    /// The entity to delete still has dependents or contents of this kind.
    case notEmpty(Holding)
    /// The user belongs to the group already.
    case alreadyMember(user: String, group: String)
    /// The user does not belong to the group.
    case notMember(user: String, group: String)
    /// The policy with this ARN is attached already.
    case alreadyAttached(String)
    /// The policy with this ARN is not attached.
    case notAttached(String)
    /// The version to delete is the policy's default.
    case defaultVersion
    /// The number of entities of this kind has reached the limit.
    case limitExceeded(Quota, Int)

    /// A property of a user, group, role or policy that prevents its deletion.
    package enum Holding: Sendable {
        case devices
        case accessKeys
        case loginProfile
        case signingCertificates
        case publicKeys
        case serviceCredentials
        /// The groups that a user belongs to.
        case groups
        /// The users that belong to a group.
        case members
        case instanceProfiles
        case attachedPolicies
        case inlinePolicies
        /// The users that a policy is attached to.
        case attachedUsers
        /// The groups that a policy is attached to.
        case attachedGroups
        /// The roles that a policy is attached to.
        case attachedRoles
        /// The users and roles that have the policy as their permissions boundary.
        case bounded
        /// Versions of a policy other than its default.
        case versions
    }

    /// A kind of entity whose number is limited.
    package enum Quota: Sendable {
        case usersOfAccount
        case groupsOfAccount
        case rolesOfAccount
        case policiesOfAccount
        case groupsOfUser
        case accessKeysOfUser
        case attachedPolicies
        case versionsOfPolicy
    }
}
