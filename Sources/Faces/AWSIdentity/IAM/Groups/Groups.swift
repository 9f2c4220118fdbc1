import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on groups.
    static let groups: [String: Operation] = [
        "CreateGroup": .init(createGroup),
        "GetGroup": .authorized(members: { try groupAndPage(&$0) }, on: { try $1.found($0.group) }, getGroup),
        "ListGroups": .list(of: "group", listGroups), "UpdateGroup": .init(updateGroup),
        "DeleteGroup": .authorized(members: groupName, on: { try $1.found($0) }, deleteGroup),
    ]

    /// The maximum number of groups of an account. (IAM User Guide, "IAM and AWS STS quotas".)
    static let groupQuota = 300

    private static func createGroup(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let path = call.parameters.path() ?? "/"
        let name = call.parameters.requiredText("GroupName", length: 1...128, pattern: .entityName)
        try call.parameters.check()
        let group = Group(account: call.account, name: name, path: path, id: try UniqueID.group.make(), created: call.now)
        try call.authorize(on: group.arn)
        try await call.edit(.group) { directory in try directory.createGroup(group, limit: groupQuota) }
        return { xml in xml.element("Group") { group.encode(into: &$0) } }
    }

    /// GetGroup. Returns the group and a page of its users.
    private static func getGroup(
        _ names: (group: String, part: PagePart), _ group: Group, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let members = call.directory.members(of: group).sorted { $0.sortKey < $1.sortKey }
        let page = try Page(of: members, names.part, key: \.sortKey)
        return { xml in
            xml.element("Group") { group.encode(into: &$0) }
            page.encode("Users", into: &xml) { user, xml in user.encode(into: &xml, withTags: false) }
        }
    }

    private static func listGroups(_ members: (path: String, part: PagePart), _ call: IAMCall) async throws -> QueryService.Result? {
        let page = try Page(of: call.directory.groups, in: call.account, members.part) { $0.path.hasPrefix(members.path) }
        return { xml in page.encode("Groups", into: &xml) { found, xml in found.value.encode(into: &xml) } }
    }

    /// UpdateGroup. It must be allowed for the old and the new name. The users stay members.
    private static func updateGroup(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("GroupName", length: 1...128, pattern: .entityName)
        let newPath = call.parameters.text("NewPath", length: 1...512, pattern: .path)
        let newName = call.parameters.text("NewGroupName", length: 1...128, pattern: .entityName)
        try call.parameters.check()
        let found: Group = try call.found(name)
        try call.authorize(on: found.arn)
        var renamed = found
        renamed.path = newPath ?? found.path
        renamed.name = newName ?? found.name
        if renamed.arn != found.arn { try call.authorize(on: renamed.arn) }
        _ = try await call.edit(.group) { [account = call.account] directory in
            try directory.updateGroup(name, in: account) { group in
                group.path = newPath ?? group.path
                group.name = newName ?? group.name
            }
        }
        return nil
    }

    private static func deleteGroup(_ name: String, _: Group, _ call: IAMCall) async throws -> QueryService.Result? {
        try await call.edit(.group) { [account = call.account] directory in
            try directory.deleteGroup(name, in: account, unlessHolding: [.attachedPolicies, .inlinePolicies])
        }
        return nil
    }

    private static func groupName(_ parameters: inout QueryParameters) -> String {
        parameters.requiredText("GroupName", length: 1...128, pattern: .entityName)
    }

    private static func groupAndPage(_ parameters: inout QueryParameters) throws(ServiceError) -> (group: String, part: PagePart) {
        (groupName(&parameters), try parameters.part())
    }
}

extension Group {
    /// The lowercased name: lists are sorted case-insensitively.
    var sortKey: String { name.lowercased() }

    /// Writes the members of the shape `Group`.
    func encode(into xml: inout XMLWriter) {
        xml.element("Path", path)
        xml.element("GroupName", name)
        xml.element("GroupId", id)
        xml.element("Arn", arn)
        xml.element("CreateDate", created.iso8601)
    }
}
