import Directory
import WireFormats

extension ServiceError {
    /// Translates an error of the directory into IAM's.
    /// - Parameter family: the kind of the holder that changes or is deleted; irrelevant for managed policies.
    init(_ refusal: DirectoryRefusal, of family: HolderFamily) {
        self =
            switch refusal {
            case .noSuchUser(let name): HolderFamily.user.missing(name)
            case .noSuchGroup(let name): HolderFamily.group.missing(name)
            case .noSuchRole(let name): HolderFamily.role.missing(name)
            case .noSuchPolicy(let arn), .notAttached(let arn): .missingPolicy(arn)
            case .noSuchVersion(let number): .noSuchEntity("Policy version v\(number) does not exist or is not attachable.")
            case .noSuchAccessKey(let id): .noSuchEntity("The Access Key with id \(id) cannot be found.")
            case .protectedRole(let name): .protectedRole(name)
            case .alreadyExists(let name): .entityAlreadyExists("\(family.title) with name \(name) already exists.")
            case .policyAlreadyExists(let name):
                .entityAlreadyExists("A policy called \(name) already exists. Duplicate names are not allowed.")
            case .notEmpty(let holding): .deleteConflict(holding.conflict)
            case .defaultVersion: .deleteConflict("Cannot delete the default version of a policy.")
            case .alreadyMember(let user, let group): .entityAlreadyExists("User \(user) already in group \(group).")
            case .notMember(let user, let group): .noSuchEntity("User \(user) not in group \(group).")
            case .alreadyAttached(let arn): .entityAlreadyExists("Policy \(arn) is already attached.")
            case .limitExceeded(.versionsOfPolicy, let limit):
                .limitExceeded(
                    "A managed policy can have up to \(limit) versions. Before you create a new version, you must delete an existing version."
                )
            case .limitExceeded(let quota, let limit): .limitExceeded("Cannot exceed quota for \(quota.name(of: family)): \(limit)")
            }
    }
}

extension DirectoryRefusal.Quota {
    /// Returns the name of a quota in messages. (IAM User Guide, "IAM and AWS STS quotas".)
    fileprivate func name(of family: HolderFamily) -> String {
        switch self {
        case .usersOfAccount: "UsersPerAccount"
        case .groupsOfAccount: "GroupsPerAccount"
        case .rolesOfAccount: "RolesPerAccount"
        case .policiesOfAccount: "PoliciesPerAccount"
        case .groupsOfUser: "GroupsPerUser"
        case .accessKeysOfUser: "AccessKeysPerUser"
        case .attachedPolicies: "PoliciesPer\(family.title)"
        case .versionsOfPolicy: "VersionsPerPolicy"
        }
    }
}

extension DirectoryRefusal.Holding {
    fileprivate var conflict: String {
        switch self {
        case .attachedUsers, .attachedGroups, .attachedRoles, .bounded: "Cannot delete a policy attached to entities."
        case .versions:
            "This policy has more than one version. Before you delete a policy, you must delete the policy's versions. The default version is deleted with the policy."
        default: "Cannot delete entity, must \(removal) first."
        }
    }

    /// What must be removed before a deletion. (The wording for devices and service credentials is from records of the real service.)
    private var removal: String {
        switch self {
        case .devices: "remove tokens from principal"
        case .accessKeys: "delete access keys"
        case .loginProfile: "delete login profile"
        case .signingCertificates: "delete signing certificates"
        case .publicKeys: "delete SSH public keys"
        case .serviceCredentials: "remove referenced objects"
        case .groups, .members: "remove users from group"
        case .instanceProfiles: "remove roles from instance profile"
        case .attachedPolicies: "detach all policies"
        case .inlinePolicies: "delete policies"
        case .attachedUsers, .attachedGroups, .attachedRoles, .bounded: "detach the policy"
        case .versions: "delete versions"
        }
    }
}
