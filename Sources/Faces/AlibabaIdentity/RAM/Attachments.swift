import Cloud
import Directory
import HTTPTypes
import WireFormats

extension RPCService {
    /// Operations on which policies users, groups and roles have.
    static let attachments: [String: RPCOperation] = RAMPolicyHolder.allCases.reduce(into: [:]) { all, kind in
        all["AttachPolicyTo\(kind.rawValue)"] = RPCOperation { try await $0.attachPolicy(to: kind) }
        all["DetachPolicyFrom\(kind.rawValue)"] = RPCOperation { try await $0.detachPolicy(from: kind) }
        all["ListPoliciesFor\(kind.rawValue)"] = RPCOperation { try $0.listPolicies(for: kind) }
    }.merging(["ListEntitiesForPolicy": RPCOperation { try $0.listEntitiesForPolicy() }]) { first, _ in first }
}

extension RPCCall {
    /// How many policies of Alibaba Cloud and how many of the account can be attached to one holder.
    /// (RAM User Guide, "Limits".)
    private static let mostAttached = (system: 20, custom: 10)

    private func holder(_ kind: RAMPolicyHolder, _ name: String, in directory: Directory) throws(RPCError) -> any PolicyHolder {
        guard let holder = kind.holder(name, in: directory, account: account) else { throw .notExist(kind.rawValue, kind.word) }
        return holder
    }

    private func change<Holder: PolicyHolder>(
        _ type: Holder.Type, _ name: String, in directory: inout Directory,
        _ change: (inout any PolicyHolder, Directory) throws -> Void
    ) throws {
        try directory.updateHolder(type, name, in: account) { holder, directory in
            var changed: any PolicyHolder = holder
            try change(&changed, directory)
            if let changed = changed as? Holder { holder = changed }
        }
    }

    /// AttachPolicyToUser, AttachPolicyToGroup, AttachPolicyToRole.
    fileprivate func attachPolicy(to kind: RAMPolicyHolder) async throws -> RPCValue {
        let arn = try namedPolicy()
        let name = try name(kind.parameter, kind.names)
        try permit(resource(kind.word, name), arn)
        try await edit(kind) { directory in
            try change(kind.type, name, in: &directory) { holder, directory in
                let owner = try self.policy(arn, in: directory).owner
                try holder.attach(arn, at: now, limit: owner == .custom ? Self.mostAttached.custom : Self.mostAttached.system) { other in
                    other.hasPrefix(ManagedPolicy.arnOfAlibaba("")) == (owner == .system)
                }
            }
        }
        return .done
    }

    /// DetachPolicyFromUser, DetachPolicyFromGroup, DetachPolicyFromRole.
    fileprivate func detachPolicy(from kind: RAMPolicyHolder) async throws -> RPCValue {
        let arn = try namedPolicy()
        let name = try name(kind.parameter, kind.names)
        try permit(resource(kind.word, name), arn)
        try await edit(kind) { directory in
            try change(kind.type, name, in: &directory) { holder, directory in
                _ = try self.policy(arn, in: directory)
                try holder.detach(arn)
            }
        }
        return .done
    }

    /// ListPoliciesForUser, ListPoliciesForGroup, ListPoliciesForRole. Those of a user's groups are the groups'.
    fileprivate func listPolicies(for kind: RAMPolicyHolder) throws(RPCError) -> RPCValue {
        let name = try name(kind.parameter, kind.names)
        try permit(resource(kind.word, name))
        let directory = directory
        let holder = try holder(kind, name, in: directory)
        let policies = holder.attachedPolicies.compactMap { directory.policy(arn: $0) }.map { policy -> RPCValue in
            [
                "PolicyName": .text(policy.name), "PolicyType": .text(policy.owner.rawValue),
                "Description": .text(policy.description ?? ""), "DefaultVersion": .text("v\(policy.defaultVersion)"),
                "AttachDate": .date(holder.attachmentDate(of: policy.arn)),
            ]
        }
        return ["Policies": .list(of: "Policy", policies)]
    }

    fileprivate func listEntitiesForPolicy() throws(RPCError) -> RPCValue {
        let arn = try namedPolicy()
        try permit(arn)
        let directory = directory
        _ = try policy(arn, in: directory)
        let holders = directory.holders(of: arn, in: account)
        return [
            "Groups": .list(
                of: "Group",
                holders.groups.map { group in
                    [
                        "GroupName": .text(group.name), "Comments": .text(group.profile?.comments ?? ""),
                        "AttachDate": .date(group.attachmentDate(of: arn)),
                    ]
                }),
            "Users": .list(
                of: "User",
                holders.users.map { user in
                    [
                        "UserId": .text(user.id), "UserName": .text(user.name), "DisplayName": .text(user.profile?.displayName ?? ""),
                        "AttachDate": .date(user.attachmentDate(of: arn)),
                    ]
                }),
            "Roles": .list(
                of: "Role",
                holders.roles.map { role in
                    [
                        "RoleId": .text(role.id), "RoleName": .text(role.name), "Arn": .text(role.arn),
                        "Description": .text(role.description ?? ""), "AttachDate": .date(role.attachmentDate(of: arn)),
                    ]
                }),
        ]
    }
}
