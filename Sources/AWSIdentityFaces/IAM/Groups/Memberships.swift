import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on the members of groups.
    static let memberships: [String: Operation] = [
        "AddUserToGroup": .init(addUser), "RemoveUserFromGroup": .init(removeUser), "ListGroupsForUser": .init(listGroupsForUser),
    ]

    /// The maximum number of groups of one user. (IAM User Guide, "IAM and AWS STS quotas".)
    static let groupsPerUserQuota = 10

    /// AddUserToGroup. A user who is already a member stays one.
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

    /// Returns the user and the group that a call names. Authorizes the call on the group.
    private static func named(_ call: inout IAMCall) throws(ServiceError) -> (user: String, group: String) {
        let groupName = call.parameters.requiredText("GroupName", length: 1...128, pattern: .entityName)
        let userName = call.parameters.requiredText("UserName", length: 1...128, pattern: .entityName)
        try call.parameters.check()
        let group: Group = try call.found(groupName)
        try call.authorize(on: group.arn)
        return (userName, groupName)
    }
}
