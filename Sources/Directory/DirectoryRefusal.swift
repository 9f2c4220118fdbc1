/// The reason why an operation on the directory changes nothing. Each cloud writes it in its own words.
package enum DirectoryRefusal: Error, Equatable {
    /// The account has no user of this name.
    case noSuchUser(String)
    /// The account has no group of this name.
    case noSuchGroup(String)
    /// Another user or group of the account has this name.
    case alreadyExists(String)
    /// The user or group to delete still has this.
    case notEmpty(Holding)
    /// The user belongs to the group already.
    case alreadyMember(user: String, group: String)
    /// The user does not belong to the group.
    case notMember(user: String, group: String)
    /// The user belongs to as many groups as a user can.
    case limitExceeded(Int)

    /// What a user or group can have that prevents its deletion.
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
        case attachedPolicies
        case inlinePolicies
    }
}
