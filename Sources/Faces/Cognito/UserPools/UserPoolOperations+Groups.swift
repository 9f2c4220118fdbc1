import Calls
import Cloud
import Directory
import Federation
import Policy
import WireFormats

extension UserPoolGroup {
    fileprivate var document: JSONValue {
        var members: JSONObject = ["GroupName": .string(name), "UserPoolId": .string(pool)]
        if let description { members["Description"] = .string(description) }
        if let role { members["RoleArn"] = .string(role) }
        if let precedence { members["Precedence"] = .integer(Int64(precedence)) }
        members["CreationDate"] = created.userPoolTime
        members["LastModifiedDate"] = modified.userPoolTime
        return .object(members)
    }
}

extension SignedUserPoolCall {
    private mutating func groupName() throws(UserPoolError) -> String {
        try input.requiredText("GroupName", length: 1...128, pattern: .name)
    }

    /// The settings of a group that a call gives.
    private struct GroupSettings: Sendable {
        var description: String?
        var role: String?
        var precedence: Int?
    }

    private mutating func groupSettings() throws(UserPoolError) -> GroupSettings {
        GroupSettings(
            description: try input.text("Description", length: 0...2048), role: try input.text("RoleArn", length: 20...2048),
            precedence: try input.integer("Precedence", range: 0...Int(Int32.max)))
    }

    /// CreateGroup.
    mutating func createGroup() async throws -> JSONValue? {
        let (id, name, settings) = (try poolID(), try groupName(), try groupSettings())
        let pool = try pool(id)
        try authorize(passing: settings.role)
        var group = UserPoolGroup(pool: pool.id, name: name, created: cloud.clock.now)
        (group.description, group.role, group.precedence) = (settings.description, settings.role, settings.precedence)
        let made = group
        try await cloud.edit { directory in try directory.addGroup(made) }
        return ["Group": made.document]
    }

    private func group(_ name: String, of pool: UserPool) throws(UserPoolError) -> UserPoolGroup {
        guard let group = pools.group(name, in: pool.id) else { throw .notFound("Group not found.") }
        return group
    }

    /// GetGroup.
    mutating func getGroup() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try groupName())
        return ["Group": try group(name, of: try pool(id)).document]
    }

    /// UpdateGroup. A member that is missing keeps its value.
    mutating func updateGroup() async throws -> JSONValue? {
        let (id, name, settings) = (try poolID(), try groupName(), try groupSettings())
        let pool = try pool(id)
        try authorize(passing: settings.role)
        var group = try group(name, of: pool)
        group.description = settings.description ?? group.description
        group.role = settings.role ?? group.role
        group.precedence = settings.precedence ?? group.precedence
        group.modified = cloud.clock.now
        let changed = group
        try await cloud.edit { directory in directory.put(inUserPools: .group(changed)) }
        return ["Group": changed.document]
    }

    /// DeleteGroup.
    mutating func deleteGroup() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try groupName())
        let pool = try pool(id)
        try await cloud.edit { directory in try directory.deleteGroup(name, of: pool.id) }
        return nil
    }

    /// Returns a page of a list, and the token of the next one: the last name of the page.
    private static func page<Element>(
        _ all: [Element], after token: String?, limit: Int, name: (Element) -> String
    ) -> (page: [Element], token: String?) {
        let start = token.flatMap { token in all.firstIndex { name($0).equals(token) } }.map { $0 + 1 } ?? 0
        let page = Array(all[start...].prefix(limit))
        return (page, start + page.count < all.count ? page.last.map(name) : nil)
    }

    private mutating func listLimits() throws(UserPoolError) -> (limit: Int, token: String?) {
        (try input.integer("Limit", range: 1...60) ?? 60, try input.text("NextToken", length: 1...131_072, pattern: .visible))
    }

    /// ListGroups.
    mutating func listGroups() async throws -> JSONValue? {
        let (id, limits) = (try poolID(), try listLimits())
        let (page, next) = Self.page(pools.groups(of: try pool(id).id), after: limits.token, limit: limits.limit) { $0.name }
        var result: JSONObject = ["Groups": .array(page.map(\.document))]
        if let next { result["NextToken"] = .string(next) }
        return .object(result)
    }

    /// AdminListGroupsForUser.
    mutating func adminListGroupsForUser() async throws -> JSONValue? {
        let (id, name, limits) = (try poolID(), try username(), try listLimits())
        let user = try user(name, of: try pool(id))
        let (page, next) = Self.page(pools.groups(of: user), after: limits.token, limit: limits.limit) { $0.name }
        var result: JSONObject = ["Groups": .array(page.map(\.document))]
        if let next { result["NextToken"] = .string(next) }
        return .object(result)
    }

    /// ListUsersInGroup.
    mutating func listUsersInGroup() async throws -> JSONValue? {
        let (id, name, limits) = (try poolID(), try groupName(), try listLimits())
        let pool = try pool(id)
        let group = try group(name, of: pool)
        let members = pools.users(of: pool.id).filter { $0.groups.contains(group.name) }
        let (page, next) = Self.page(members, after: limits.token, limit: limits.limit) { $0.sub }
        var result: JSONObject = ["Users": .array(page.map { .object($0.document()) })]
        if let next { result["NextToken"] = .string(next) }
        return .object(result)
    }

    /// AdminAddUserToGroup and AdminRemoveUserFromGroup. To add a member or to remove another person is no error.
    mutating func adminSetMember(_ isMember: Bool) async throws -> JSONValue? {
        let (id, name, group) = (try poolID(), try username(), try groupName())
        let pool = try pool(id)
        let user = try user(name, of: pool)
        let found = try self.group(group, of: pool).name
        try await cloud.change(user) { user in
            user.groups.removeAll { $0 == found }
            if isMember { user.groups.append(found) }
        }
        return nil
    }
}
