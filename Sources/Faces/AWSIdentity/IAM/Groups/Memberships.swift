import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on the members of groups.
    static let memberships: [String: Operation] = [
        "AddUserToGroup": .authorized(members: names, on: { try $1.found($0.group) }, addUser),
        "RemoveUserFromGroup": .authorized(members: names, on: { try $1.found($0.group) }, removeUser),
        "ListGroupsForUser": .authorized(members: { try userAndPage(&$0) }, on: { try $1.found($0.user) }, listGroupsForUser),
    ]

    /// The maximum number of groups of one user. (IAM User Guide, "IAM and AWS STS quotas".)
    static let groupsPerUserQuota = 10

    /// AddUserToGroup. A user who is already a member stays one.
    private static func addUser(_ names: (group: String, user: String), _: Group, _ call: IAMCall) async throws -> QueryService.Result? {
        try await call.edit(.group) { [account = call.account] directory in
            do {
                try directory.addUser(names.user, toGroup: names.group, in: account, limit: groupsPerUserQuota)
            } catch DirectoryRefusal.alreadyMember {}
        }
        return nil
    }

    private static func removeUser(_ names: (group: String, user: String), _: Group, _ call: IAMCall) async throws -> QueryService.Result? {
        try await call.edit(.group) { [account = call.account] directory in
            try directory.removeUser(names.user, fromGroup: names.group, in: account)
        }
        return nil
    }

    private static func listGroupsForUser(
        _ members: (user: String, part: PagePart), _ user: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let directory = call.directory
        let groups = user.groups.compactMap { directory.group($0, in: user.account) }.sorted { $0.sortKey < $1.sortKey }
        let page = try Page(of: groups, members.part, key: \.sortKey)
        return { xml in page.encode("Groups", into: &xml) { group, xml in group.encode(into: &xml) } }
    }

    private static func names(_ parameters: inout QueryParameters) -> (group: String, user: String) {
        let group = parameters.requiredText("GroupName", length: 1...128, pattern: .entityName)
        return (group, parameters.requiredText("UserName", length: 1...128, pattern: .entityName))
    }

    private static func userAndPage(_ parameters: inout QueryParameters) throws(ServiceError) -> (user: String, part: PagePart) {
        (parameters.requiredText("UserName", length: 1...128, pattern: .entityName), try parameters.part())
    }
}
