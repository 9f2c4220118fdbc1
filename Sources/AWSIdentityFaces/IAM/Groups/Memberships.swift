import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Who belongs to which group.
    static let memberships: [String: Operation] = [
        "AddUserToGroup": addUser, "RemoveUserFromGroup": removeUser, "ListGroupsForUser": listGroupsForUser,
    ]

    /// Groups that one user can belong to. (IAM User Guide, "IAM and AWS STS quotas".)
    static let groupsPerUserQuota = 10

    /// AddUserToGroup; a user who belongs to it already stays.
    private static func addUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let (userName, groupName) = try named(&call)
        try await call.edit(userName, groupName) { user, group in
            guard !user.groups.contains(group.name) else { return }
            guard user.groups.count < groupsPerUserQuota else {
                throw QueryError.limitExceeded("Cannot exceed quota for GroupsPerUser: \(groupsPerUserQuota)")
            }
            user.groups.append(group.name)
        }
        return nil
    }

    private static func removeUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let (userName, groupName) = try named(&call)
        try await call.edit(userName, groupName) { user, group in
            guard let index = user.groups.firstIndex(of: group.name) else {
                throw QueryError.noSuchEntity("User \(user.name) not in group \(group.name).")
            }
            user.groups.remove(at: index)
        }
        return nil
    }

    private static func listGroupsForUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("UserName", length: 1...128, pattern: .entityName)
        let part = try call.parameters.part()
        try call.parameters.check()
        let user: User = try call.found(name)
        try call.authorize(on: user.arn, tags: user.tags)
        let directory = call.directory
        let groups = user.groups.compactMap { directory.group($0, in: user.account) }.sorted { $0.sortKey < $1.sortKey }
        let page = try Page(of: groups, part, key: \.sortKey)
        return { xml in page.encode("Groups", into: &xml) { group, xml in group.encode(into: &xml) } }
    }

    /// The names in a call that the caller may make: the permission is one on the group.
    private static func named(_ call: inout IAMCall) throws(QueryError) -> (user: String, group: String) {
        let groupName = call.parameters.requiredText("GroupName", length: 1...128, pattern: .entityName)
        let userName = call.parameters.requiredText("UserName", length: 1...128, pattern: .entityName)
        try call.parameters.check()
        let group: Group = try call.found(groupName)
        try call.authorize(on: group.arn)
        return (userName, groupName)
    }
}

extension IAMCall {
    /// Changes a user with regard to a group, both as they stand when the call's turn has come.
    fileprivate func edit(_ user: String, _ group: String, _ change: (inout User, Group) throws -> Void) async throws {
        let account = account
        try await self.change(user) { (user: inout User, directory) in
            guard let group = directory.group(group, in: account) else { throw HolderFamily.group.missing(group) }
            try change(&user, group)
        }
    }
}
