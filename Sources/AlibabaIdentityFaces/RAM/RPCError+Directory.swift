import Directory
import HTTPTypes

extension RPCError {
    /// A refusal by the directory, in the words of RAM.
    /// - Parameter entity: the kind of what is changed or deleted, as in codes: `User` or `Group`.
    init(_ refusal: DirectoryRefusal, of entity: String) {
        self =
            switch refusal {
            case .noSuchUser: .notExist("User", "user")
            case .noSuchGroup: .notExist("Group", "group")
            case .alreadyExists: .alreadyExists(entity, entity.lowercased())
            case .notEmpty(let holding): .deleteConflict(holding, of: entity)
            case .alreadyMember: RPCError("EntityAlreadyExists.User.Group", .conflict, "The user has already joined the group.")
            case .notMember: RPCError("EntityNotExist.User.Group", .notFound, "The user has not joined the group.")
            case .limitExceeded: .limitExceeded("User.Group", "count of groups the target user joined")
            }
    }

    private static func deleteConflict(_ holding: DirectoryRefusal.Holding, of entity: String) -> RPCError {
        let (name, what) =
            switch holding {
            case .groups: ("Group", "be in any group")
            case .members: ("User", "has any user member")
            case .accessKeys: ("AccessKey", "has any access key")
            case .loginProfile: ("LoginProfile", "has any login profile")
            case .devices: ("MFADevice", "has any MFA device")
            case .attachedPolicies, .inlinePolicies: ("Policy", "has any attached policy")
            case .publicKeys, .signingCertificates, .serviceCredentials: ("Credential", "has any credential")
            }
        // RAM calls a group an entity here alone.
        let subject = entity == "Group" && name == "Policy" ? "entity" : entity.lowercased()
        return .deleteConflict("\(entity).\(name)", "The \(subject) CAN NOT \(what) while deleting the \(entity.lowercased()).")
    }
}
