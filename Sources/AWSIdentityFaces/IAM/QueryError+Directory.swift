import Directory

extension QueryError {
    /// A refusal by the directory, in the words of IAM.
    /// - Parameter family: the kind of what is changed or deleted.
    init(_ refusal: DirectoryRefusal, of family: HolderFamily) {
        self =
            switch refusal {
            case .noSuchUser(let name): HolderFamily.user.missing(name)
            case .noSuchGroup(let name): HolderFamily.group.missing(name)
            case .alreadyExists(let name): .entityAlreadyExists("\(family.title) with name \(name) already exists.")
            case .notEmpty(let holding): .deleteConflict("Cannot delete entity, must \(holding.removal) first.")
            case .alreadyMember(let user, let group): .entityAlreadyExists("User \(user) already in group \(group).")
            case .notMember(let user, let group): .noSuchEntity("User \(user) not in group \(group).")
            case .limitExceeded(let limit): .limitExceeded("Cannot exceed quota for GroupsPerUser: \(limit)")
            }
    }
}

extension DirectoryRefusal.Holding {
    /// What has to be done before a deletion. (The words for devices and service credentials are recorded of the real service.)
    fileprivate var removal: String {
        switch self {
        case .devices: "remove tokens from principal"
        case .accessKeys: "delete access keys"
        case .loginProfile: "delete login profile"
        case .signingCertificates: "delete signing certificates"
        case .publicKeys: "delete SSH public keys"
        case .serviceCredentials: "remove referenced objects"
        case .groups, .members: "remove users from group"
        case .attachedPolicies: "detach all policies"
        case .inlinePolicies: "delete policies"
        }
    }
}
