import Cloud
import Directory
import HTTPTypes
import WireFormats

extension RPCService {
    /// Operations on which policies users, groups and roles have.
    static let attachments: [String: RPCOperation] = PolicyHolder.Kind.allCases.reduce(into: [:]) { all, kind in
        all["AttachPolicyTo\(kind.rawValue)"] = RPCOperation { try await $0.attachPolicy(to: kind) }
        all["DetachPolicyFrom\(kind.rawValue)"] = RPCOperation { try await $0.detachPolicy(from: kind) }
        all["ListPoliciesFor\(kind.rawValue)"] = RPCOperation { try $0.listPolicies(for: kind) }
    }.merging(["ListEntitiesForPolicy": RPCOperation { try $0.listEntitiesForPolicy() }]) { first, _ in first }
}

extension RPCCall {
    /// How many policies of Alibaba Cloud and how many of the account's a holder can have.
    /// (RAM User Guide, "Limits".)
    private static let mostAttached = (system: 20, custom: 10)

    private func holder(_ kind: PolicyHolder.Kind, _ name: String, in directory: Directory) throws(RPCError) -> PolicyHolder {
        guard let holder = PolicyHolder(kind, name, in: account, directory) else { throw .notExist(kind.rawValue, kind.word) }
        return holder
    }

    /// AttachPolicyToUser, AttachPolicyToGroup, AttachPolicyToRole.
    fileprivate func attachPolicy(to kind: PolicyHolder.Kind) async throws -> RPCValue {
        let arn = try namedPolicy()
        let name = try name(kind.parameter, kind.names)
        try permit(resource(kind.word, name), arn)
        try await cloud.edit { directory in
            let holder = try self.holder(kind, name, in: directory)
            let policy = try self.policy(arn, in: directory)
            guard !holder.policies.contains(policy.arn) else {
                throw RPCError(
                    "EntityAlreadyExists.\(kind.rawValue).Policy", .conflict, "The \(kind.word) has already been attached this policy.")
            }
            let own = holder.policies.count { !$0.hasPrefix(ManagedPolicy.arnOfAlibaba("")) }
            let isFull =
                policy.owner == .custom ? own >= Self.mostAttached.custom : holder.policies.count - own >= Self.mostAttached.system
            guard !isFull else {
                throw RPCError.limitExceeded("\(kind.rawValue).Policy", "policy count of the \(kind.word) attached policies")
            }
            directory.put(holder.attaching(policy.arn, at: now))
        }
        return .done
    }

    /// DetachPolicyFromUser, DetachPolicyFromGroup, DetachPolicyFromRole.
    fileprivate func detachPolicy(from kind: PolicyHolder.Kind) async throws -> RPCValue {
        let arn = try namedPolicy()
        let name = try name(kind.parameter, kind.names)
        try permit(resource(kind.word, name), arn)
        try await cloud.edit { directory in
            let holder = try self.holder(kind, name, in: directory)
            _ = try self.policy(arn, in: directory)
            guard holder.policies.contains(arn) else {
                let what = kind == .group ? "attached to the group" : "of the \(kind.word)"
                throw RPCError("EntityNotExist.\(kind.rawValue).Policy", .notFound, "The indicate policy \(what) does not exist.")
            }
            directory.put(holder.detaching(arn))
        }
        return .done
    }

    /// ListPoliciesForUser, ListPoliciesForGroup, ListPoliciesForRole. Those of a user's groups are the groups'.
    fileprivate func listPolicies(for kind: PolicyHolder.Kind) throws(RPCError) -> RPCValue {
        let name = try name(kind.parameter, kind.names)
        try permit(resource(kind.word, name))
        let directory = directory
        let holder = try holder(kind, name, in: directory)
        let policies = holder.policies.compactMap { directory.policy(arn: $0) }.map { policy -> RPCValue in
            [
                "PolicyName": .text(policy.name), "PolicyType": .text(policy.owner.rawValue),
                "Description": .text(policy.description ?? ""), "DefaultVersion": .text("v\(policy.defaultVersion)"),
                "AttachDate": .date(holder.date(of: policy.arn)),
            ]
        }
        return ["Policies": .list(of: "Policy", policies)]
    }

    /// ListEntitiesForPolicy.
    fileprivate func listEntitiesForPolicy() throws(RPCError) -> RPCValue {
        let arn = try namedPolicy()
        try permit(arn)
        let directory = directory
        _ = try policy(arn, in: directory)
        let users = directory.users.values.map(\.user).filter { $0.account == account && $0.attachedPolicies.contains(arn) }
        let groups = directory.groups.values.filter { $0.account == account && $0.attachedPolicies.contains(arn) }
        let roles = directory.roles.values.map(\.role).filter { $0.account == account && $0.attachedPolicies.contains(arn) }
        return [
            "Groups": .list(
                of: "Group",
                groups.sorted { $0.name < $1.name }.map { group in
                    [
                        "GroupName": .text(group.name), "Comments": .text(group.profile?.comments ?? ""),
                        "AttachDate": .date(group.attachmentDates?[arn] ?? group.created),
                    ]
                }),
            "Users": .list(
                of: "User",
                users.sorted { $0.name < $1.name }.map { user in
                    [
                        "UserId": .text(user.id), "UserName": .text(user.name), "DisplayName": .text(user.profile?.displayName ?? ""),
                        "AttachDate": .date(user.attachmentDates?[arn] ?? user.created),
                    ]
                }),
            "Roles": .list(
                of: "Role",
                roles.sorted { $0.name < $1.name }.map { role in
                    [
                        "RoleId": .text(role.id), "RoleName": .text(role.name), "Arn": .text(role.arn),
                        "Description": .text(role.description ?? ""), "AttachDate": .date(role.attachmentDates?[arn] ?? role.created),
                    ]
                }),
        ]
    }
}
