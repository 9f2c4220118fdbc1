import Cloud
import Directory
import WireFormats

extension RPCService {
    /// Operations on groups.
    static func groups(_ api: IdentityAPI) -> [String: RPCOperation] {
        [
            "CreateGroup": RPCOperation { try await $0.createGroup(api) }, "GetGroup": RPCOperation { try $0.getGroup(api) },
            "UpdateGroup": RPCOperation { try await $0.updateGroup(api) }, "DeleteGroup": RPCOperation { try await $0.deleteGroup() },
            "ListGroups": RPCOperation { try $0.listGroups(api) },
        ]
    }
}

extension RPCCall {
    private static let mostGroups = 50

    /// Returns the group with a name.
    /// - Throws: `EntityNotExist.Group`.
    func group(_ name: String, in directory: Directory) throws(RPCError) -> Group {
        guard let group = directory.group(name, in: account) else { throw .notExist("Group", "group") }
        return group
    }

    /// Returns a group as RAM describes it. (RAM API Reference, "Group".)
    private func describe(_ group: Group, _ api: IdentityAPI, isNew: Bool = false) -> RPCValue {
        .members([
            "GroupId": .text(group.id), "GroupName": .text(group.name),
            "DisplayName": api == .ims ? .text(group.profile?.displayName ?? "") : nil, "Comments": .text(group.profile?.comments ?? ""),
            "CreateDate": .date(group.created),
            "UpdateDate": isNew && api == .ram ? nil : .date(group.profile?.updated ?? group.created),
        ])
    }

    fileprivate func createGroup(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try name("GroupName", .group)
        var profile = GroupProfile(comments: try remark("Comments", longest: 128), updated: now)
        if api == .ims { profile.displayName = try remark("DisplayName", longest: 24) }
        try permit(resource("group"))
        var group = Group(account: account, name: name, path: "/", id: try RAMIdentifier.group(), created: now)
        group.profile = profile
        try await edit(.group) { [group] directory in try directory.createGroup(group, limit: Self.mostGroups) }
        return ["Group": describe(group, api, isNew: true)]
    }

    fileprivate func getGroup(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        let name = try name("GroupName", .group)
        try permit(resource("group", name))
        return ["Group": describe(try group(name, in: directory), api)]
    }

    /// UpdateGroup. The members stay members when the name changes.
    fileprivate func updateGroup(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try name("GroupName", .group)
        let newName = try newName("NewGroupName", .group)
        let comments = try remark("NewComments", longest: 128)
        let displayName = api == .ims ? try remark("NewDisplayName", longest: 24) : nil
        try permit(resource("group", name))
        let group = try await edit(.group) { directory in
            try directory.updateGroup(name, in: account) { group in
                var profile = group.profile ?? GroupProfile()
                if let comments { profile.comments = comments }
                if let displayName { profile.displayName = displayName }
                profile.updated = now
                group.profile = profile
                group.name = newName ?? group.name
            }
        }
        return ["Group": describe(group, api)]
    }

    fileprivate func deleteGroup() async throws -> RPCValue {
        let name = try name("GroupName", .group)
        try permit(resource("group", name))
        try await edit(.group) { directory in
            try directory.deleteGroup(name, in: account, unlessHolding: [.attachedPolicies])
        }
        return .done
    }

    fileprivate func listGroups(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        try permit(resource("group"))
        return try list("Groups", of: "Group", directory.groups.values.filter { $0.account == account }, by: \.name) { describe($0, api) }
    }
}
