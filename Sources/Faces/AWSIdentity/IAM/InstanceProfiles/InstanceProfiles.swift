import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on instance profiles, with which EC2 instances assume roles. (IAM User Guide, "Use instance profiles".)
    static let instanceProfiles: [String: Operation] = [
        "CreateInstanceProfile": .init(createInstanceProfile), "GetInstanceProfile": .init(getInstanceProfile),
        "DeleteInstanceProfile": .init(deleteInstanceProfile), "ListInstanceProfiles": .list(of: "instance-profile", listInstanceProfiles),
        "ListInstanceProfilesForRole": .init(listInstanceProfilesForRole), "AddRoleToInstanceProfile": .init(addRoleToInstanceProfile),
        "RemoveRoleFromInstanceProfile": .init(removeRoleFromInstanceProfile),
    ]

    private static func createInstanceProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("InstanceProfileName", length: 1...128, pattern: .entityName)
        let path = call.parameters.path() ?? "/"
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        let profile = InstanceProfile(
            account: call.account, name: name, path: path, id: try UniqueID.instanceProfile.make(), created: call.now, tags: tags)
        try call.authorize(on: profile.arn, newTags: tags)
        try call.admit(tags, InstanceProfile.tagFamily, on: profile.arn)
        try await call.perform { directory throws(InstanceProfileRefusal) in try directory.createInstanceProfile(profile) }
        let directory = call.directory
        return { xml in
            xml.element("InstanceProfile") { xml in
                profile.encode(into: &xml, directory)
                xml.tags(profile.tags)
            }
        }
    }

    private static func getInstanceProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.instanceProfileName()
        try call.parameters.check()
        let profile = try call.instanceProfile(name)
        let directory = call.directory
        return { xml in
            xml.element("InstanceProfile") { xml in
                profile.encode(into: &xml, directory)
                xml.allTags(profile.tags)
            }
        }
    }

    private static func deleteInstanceProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.instanceProfileName()
        try call.parameters.check()
        _ = try call.instanceProfile(name)
        try await call.perform { [account = call.account] directory throws(InstanceProfileRefusal) in
            try directory.deleteInstanceProfile(name, in: account)
        }
        return nil
    }

    private static func listInstanceProfiles(
        _ members: (path: String, part: PagePart), _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let directory = call.directory
        let page = try Page(of: directory.instanceProfiles, in: call.account, members.part) { $0.path.hasPrefix(members.path) }
        return { xml in
            page.encode("InstanceProfiles", into: &xml) { found, xml in found.value.encode(into: &xml, directory) }
        }
    }

    private static func listInstanceProfilesForRole(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let part = try call.parameters.part()
        let role = try call.namedRole()
        let directory = call.directory
        let page = try Page(of: directory.instanceProfiles(holding: role), part, key: \.sortKey)
        return { xml in
            page.encode("InstanceProfiles", into: &xml) { profile, xml in profile.encode(into: &xml, directory) }
        }
    }

    /// AddRoleToInstanceProfile. The caller needs permission to pass the role.
    private static func addRoleToInstanceProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.instanceProfileName()
        let roleName = call.parameters.requiredText("RoleName", length: 1...64, pattern: .entityName)
        try call.parameters.check()
        _ = try call.instanceProfile(name)
        guard let role = call.directory.role(roleName, in: call.account)?.role else { throw ServiceError.missingRole(roleName) }
        try call.authorize(
            "PassRole", on: role.arn, tags: role.tags, keys: [("iam:PassedToService", "ec2.amazonaws.com")])
        try await call.perform { [account = call.account] directory throws(InstanceProfileRefusal) in
            try directory.addRole(roleName, toInstanceProfile: name, in: account)
        }
        return nil
    }

    private static func removeRoleFromInstanceProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.instanceProfileName()
        let roleName = call.parameters.requiredText("RoleName", length: 1...64, pattern: .entityName)
        try call.parameters.check()
        _ = try call.instanceProfile(name)
        try await call.perform { [account = call.account] directory throws(InstanceProfileRefusal) in
            try directory.removeRole(roleName, fromInstanceProfile: name, in: account)
        }
        return nil
    }
}

extension ServiceError {
    static func missingProfile(_ name: String) -> ServiceError { .noSuchEntity("Instance Profile \(name) cannot be found.") }
}

extension QueryParameters {
    fileprivate mutating func instanceProfileName() -> String {
        requiredText("InstanceProfileName", length: 1...128, pattern: .entityName)
    }
}

extension IAMCall {
    /// Returns the instance profile with a name. Authorizes the call on it.
    fileprivate func instanceProfile(_ name: String) throws(ServiceError) -> InstanceProfile {
        guard let profile = directory.instanceProfile(name, in: account) else {
            try authorize(on: arn("instance-profile", name))
            throw .missingProfile(name)
        }
        try authorize(on: profile.arn, tags: profile.tags)
        return profile
    }
}

extension InstanceProfile {
    /// The lowercased name: lists are sorted case-insensitively.
    fileprivate var sortKey: String { name.lowercased() }

    /// Writes the members of the shape `InstanceProfile`, except its tags.
    func encode(into xml: inout XMLWriter, _ directory: Directory) {
        xml.element("Path", path)
        xml.element("InstanceProfileName", name)
        xml.element("InstanceProfileId", id)
        xml.element("Arn", arn)
        xml.element("CreateDate", created.iso8601)
        xml.element("Roles") { xml in
            guard let role = role.flatMap({ directory.role($0, in: account) })?.role else { return }
            xml.element("member") { role.encode(into: &$0, as: .contained, directory) }
        }
    }
}
