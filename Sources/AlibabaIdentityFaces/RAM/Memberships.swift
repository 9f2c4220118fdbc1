import Cloud
import Directory
import HTTPTypes
import WireFormats

extension RPCService {
    /// Operations on who belongs to groups.
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

    /// AddUserToGroup.
    fileprivate func addUserToGroup(_ api: IdentityAPI) async throws -> RPCValue {
        let (userName, groupName) = (try userName(api), try name("GroupName", .group))
        try permit(resource("user", userName), resource("group", groupName))
        try await cloud.edit { directory in
            var user = try self.user(userName, in: directory)
            let group = try self.group(groupName, in: directory)
            guard !user.groups.contains(group.name) else {
                throw RPCError("EntityAlreadyExists.User.Group", .conflict, "The user has already joined the group.")
            }
            guard user.groups.count < Self.mostGroupsOfUser else {
                throw RPCError.limitExceeded("User.Group", "count of groups the target user joined")
            }
            user.groups.append(group.name)
            user.joinDates = (user.joinDates ?? [:]).merging([group.name: now]) { $1 }
            directory.put(.user(user))
        }
        return .done
    }

    /// RemoveUserFromGroup.
    fileprivate func removeUserFromGroup(_ api: IdentityAPI) async throws -> RPCValue {
        let (userName, groupName) = (try userName(api), try name("GroupName", .group))
        try permit(resource("user", userName), resource("group", groupName))
        try await cloud.edit { directory in
            var user = try self.user(userName, in: directory)
            let group = try self.group(groupName, in: directory)
            guard let index = user.groups.firstIndex(of: group.name) else {
                throw RPCError("EntityNotExist.User.Group", .notFound, "The user has not joined the group.")
            }
            user.groups.remove(at: index)
            user.joinDates?[group.name] = nil
            directory.put(.user(user))
        }
        return .done
    }

    /// ListGroupsForUser.
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

    /// ListUsersForGroup.
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
