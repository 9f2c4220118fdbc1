import Cloud
import Directory
import HTTPTypes
import WireFormats

extension RPCCall {
    /// Edits the directory and translates its errors into RAM's.
    /// - Parameter kind: the kind of the identity that changes; irrelevant for policies.
    func edit<Result: Sendable>(
        _ kind: RAMPolicyHolder = .user, _ change: (inout Directory) throws -> Result
    ) async throws -> Result {
        try await cloud.edit(
            saying: { error in
                switch error {
                case let refusal as DirectoryRefusal: RPCError(refusal, of: kind)
                case let refusal as any RAMRefusal: refusal.inWordsOfRAM
                default: error
                }
            }, change)
    }
}

extension RPCError {
    /// A refusal by the directory, in the words of RAM.
    /// - Parameter kind: of what is changed or deleted; of no meaning for policies.
    init(_ refusal: DirectoryRefusal, of kind: RAMPolicyHolder) {
        let entity = kind.rawValue
        self =
            switch refusal {
            case .noSuchUser: .notExist("User", "user")
            case .noSuchGroup: .notExist("Group", "group")
            case .noSuchRole: .notExist("Role", "role")
            case .noSuchPolicy: .notExist("Policy", "policy")
            case .noSuchVersion: .notExist("Policy.Version", "policy version")
            case .noSuchAccessKey: .notExist("User.AccessKey", "user access key")
            // No role of RAM belongs to a service.
            case .protectedRole: .noPermission
            case .alreadyExists: .alreadyExists(entity, kind.word)
            case .policyAlreadyExists: .alreadyExists("Policy", "policy")
            case .notEmpty(let holding): .deleteConflict(holding, of: kind)
            case .defaultVersion: .deleteConflict("Policy.Version.Default", "The default policy version CAN NOT been deleted directly.")
            case .alreadyMember: RPCError("EntityAlreadyExists.User.Group", .conflict, "The user has already joined the group.")
            case .notMember: RPCError("EntityNotExist.User.Group", .notFound, "The user has not joined the group.")
            case .alreadyAttached:
                RPCError("EntityAlreadyExists.\(entity).Policy", .conflict, "The \(kind.word) has already been attached this policy.")
            case .notAttached:
                RPCError(
                    "EntityNotExist.\(entity).Policy", .notFound,
                    "The indicate policy \(kind == .group ? "attached to the group" : "of the \(kind.word)") does not exist.")
            case .limitExceeded(let quota, _): .limitExceeded(quota, of: kind)
            }
    }

    private static func deleteConflict(_ holding: DirectoryRefusal.Holding, of kind: RAMPolicyHolder) -> RPCError {
        func conflict(_ name: String, _ what: String) -> RPCError {
            // This is RAM's only message that calls a group an entity.
            let subject = kind == .group && name == "Policy" ? "entity" : kind.word
            return .deleteConflict("\(kind.rawValue).\(name)", "The \(subject) CAN NOT \(what) while deleting the \(kind.word).")
        }
        func attached(_ name: String) -> RPCError {
            let word = name.lowercased()
            return .deleteConflict("Policy.\(name)", "The policy CAN NOT been attached to any \(word) while deleting the policy.")
        }
        return switch holding {
        case .groups: conflict("Group", "be in any group")
        case .members: conflict("User", "has any user member")
        case .accessKeys: conflict("AccessKey", "has any access key")
        case .loginProfile: conflict("LoginProfile", "has any login profile")
        case .attachedUsers: attached("User")
        case .attachedGroups: attached("Group")
        case .attachedRoles: attached("Role")
        case .versions: .deleteConflict("Policy.Version", "The policy CAN NOT has any version except the default version.")
        // In RAM, none of these prevents a deletion.
        case .attachedPolicies, .inlinePolicies, .devices, .publicKeys, .signingCertificates, .serviceCredentials, .instanceProfiles,
            .bounded:
            conflict("Policy", "has any attached policy")
        }
    }

    private static func limitExceeded(_ quota: DirectoryRefusal.Quota, of kind: RAMPolicyHolder) -> RPCError {
        switch quota {
        case .usersOfAccount: .limitExceeded("User", "count of users")
        case .groupsOfAccount: .limitExceeded("Group", "count of groups")
        case .rolesOfAccount: .limitExceeded("Role", "count of roles")
        case .policiesOfAccount: .limitExceeded("Policy", "count of policy")
        case .groupsOfUser: .limitExceeded("User.Group", "count of groups the target user joined")
        case .accessKeysOfUser: .limitExceeded("User.AccessKey", "access key count of the user access keys")
        case .attachedPolicies: .limitExceeded("\(kind.rawValue).Policy", "policy count of the \(kind.word) attached policies")
        case .versionsOfPolicy: .limitExceeded("Policy.Version", "count of policy version")
        }
    }
}
