import Cloud
import Directory
import HTTPTypes
import WireFormats

extension RPCService {
    /// Operations on the members of groups.
    static func memberships(_ api: IdentityAPI) -> [String: RPCOperation] {
        [
            "AddUserToGroup": RPCOperation { try await $0.addUserToGroup(api) },
            "RemoveUserFromGroup": RPCOperation { try await $0.removeUserFromGroup(api) },
            "ListGroupsForUser": RPCOperation { try $0.listGroupsForUser(api) },
            "ListUsersForGroup": RPCOperation { try $0.listUsersForGroup(api) },
        ]
    }
}

extension RPCCall {
    private static let mostGroupsOfUser = 50

    fileprivate func addUserToGroup(_ api: IdentityAPI) async throws -> RPCValue {
        let (userName, groupName) = (try userName(api), try name("GroupName", .group))
        try permit(resource("user", userName), resource("group", groupName))
        try await edit { directory in
            try directory.addUser(userName, toGroup: groupName, in: account, limit: Self.mostGroupsOfUser, at: now)
        }
        return .done
    }

    fileprivate func removeUserFromGroup(_ api: IdentityAPI) async throws -> RPCValue {
        let (userName, groupName) = (try userName(api), try name("GroupName", .group))
        try permit(resource("user", userName), resource("group", groupName))
        try await edit { directory in try directory.removeUser(userName, fromGroup: groupName, in: account) }
        return .done
    }

    fileprivate func listGroupsForUser(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        let name = try userName(api)
        try permit(resource("user", name))
        let user = try user(name, in: directory)
        let groups = user.groups.compactMap { directory.group($0, in: account) }.map { group -> RPCValue in
            .members([
                "GroupId": .text(group.id), "GroupName": .text(group.name),
                "DisplayName": api == .ims ? .text(group.profile?.displayName ?? "") : nil,
                "Comments": .text(group.profile?.comments ?? ""), "JoinDate": .date(user.joinDates?[group.name] ?? user.created),
            ])
        }
        return ["Groups": .list(of: "Group", groups)]
    }

    fileprivate func listUsersForGroup(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        let name = try name("GroupName", .group)
        try permit(resource("group", name))
        let group = try group(name, in: directory)
        return try list("Users", of: "User", directory.members(of: group), by: \.name) { user in
            .members([
                "UserName": api == .ram ? .text(user.name) : nil,
                "UserPrincipalName": api == .ims ? .text(principalName(of: user.name)) : nil,
                "UserId": api == .ims ? .text(user.id) : nil, "DisplayName": .text(user.profile?.displayName ?? ""),
                "JoinDate": .date(user.joinDates?[group.name] ?? user.created),
            ])
        }
    }
}
