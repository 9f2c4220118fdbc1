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
        try await call.edit(.group) { [account = call.account] directory in
            do {
                try directory.addUser(userName, toGroup: groupName, in: account, limit: groupsPerUserQuota)
            } catch DirectoryRefusal.alreadyMember {}
        }
        return nil
    }

    private static func removeUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let (userName, groupName) = try named(&call)
        try await call.edit(.group) { [account = call.account] directory in
            try directory.removeUser(userName, fromGroup: groupName, in: account)
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
