import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on instance profiles, with which EC2 instances assume roles. (IAM User Guide, "Use instance profiles".)
    static let instanceProfiles: [String: Operation] = [
        "CreateInstanceProfile": createInstanceProfile, "GetInstanceProfile": getInstanceProfile,
        "DeleteInstanceProfile": deleteInstanceProfile, "ListInstanceProfiles": listInstanceProfiles,
        "ListInstanceProfilesForRole": listInstanceProfilesForRole, "AddRoleToInstanceProfile": addRoleToInstanceProfile,
        "RemoveRoleFromInstanceProfile": removeRoleFromInstanceProfile,
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
        try await call.cloud.edit { directory in
            guard directory.instanceProfile(name, in: profile.account) == nil else {
                throw QueryError.entityAlreadyExists("Instance Profile \(name) already exists.")
            }
            directory.put(.instanceProfile(profile))
        }
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
        try await call.cloud.edit { [account = call.account] directory in
            let profile = try InstanceProfile.required(name, in: directory, account: account)
            guard profile.role == nil else {
                throw QueryError.deleteConflict("Cannot delete entity, must remove roles from instance profile first.")
            }
            directory.remove(.init(.instanceProfile, profile.arn))
        }
        return nil
    }

    private static func listInstanceProfiles(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let prefix = call.parameters.pathPrefix()
        let part = try call.parameters.part()
        try call.parameters.check()
        try call.authorize(on: call.arn("instance-profile", "", path: prefix))
        let directory = call.directory
        let profiles = directory.instanceProfiles.values.filter { [account = call.account] in
            $0.account == account && $0.path.hasPrefix(prefix)
        }.sorted { $0.sortKey < $1.sortKey }
        let page = try Page(of: profiles, part, key: \.sortKey)
        return { xml in
            page.encode("InstanceProfiles", into: &xml) { profile, xml in profile.encode(into: &xml, directory) }
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
        guard let role = call.directory.role(roleName, in: call.account)?.role else { throw QueryError.missingRole(roleName) }
        try call.authorize(
            "PassRole", on: role.arn, tags: role.tags, keys: [("iam:PassedToService", "ec2.amazonaws.com")])
        try await call.cloud.edit { [account = call.account] directory in
            var profile = try InstanceProfile.required(name, in: directory, account: account)
            let role = try Role.required(roleName, in: directory, account: account)
            try role.checkIsModifiable()
            guard profile.role == nil else {
                throw QueryError.limitExceeded("Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1")
            }
            profile.role = role.name
            directory.put(.instanceProfile(profile))
        }
        return nil
    }

    private static func removeRoleFromInstanceProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.instanceProfileName()
        let roleName = call.parameters.requiredText("RoleName", length: 1...64, pattern: .entityName)
        try call.parameters.check()
        _ = try call.instanceProfile(name)
        try await call.cloud.edit { [account = call.account] directory in
            var profile = try InstanceProfile.required(name, in: directory, account: account)
            guard let held = profile.role, held.lowercased() == roleName.lowercased() else {
                throw QueryError.noSuchEntity("Role \(roleName) in instance profile \(name) cannot be found.")
            }
            profile.role = nil
            directory.put(.instanceProfile(profile))
        }
        return nil
    }
}

extension QueryError {
    static func missingProfile(_ name: String) -> QueryError { .noSuchEntity("Instance Profile \(name) cannot be found.") }
}

extension QueryParameters {
    fileprivate mutating func instanceProfileName() -> String {
        requiredText("InstanceProfileName", length: 1...128, pattern: .entityName)
    }
}

extension IAMCall {
    /// Returns the instance profile with a name. Authorizes the call on it.
    fileprivate func instanceProfile(_ name: String) throws(QueryError) -> InstanceProfile {
        guard let profile = directory.instanceProfile(name, in: account) else {
            try authorize(on: arn("instance-profile", name))
            throw .missingProfile(name)
        }
        try authorize(on: profile.arn, tags: profile.tags)
        return profile
    }
}

extension Directory {
    /// Returns the instance profiles that contain a role, sorted by name.
    func instanceProfiles(holding role: Role) -> [InstanceProfile] {
        instanceProfiles.values.filter { $0.account == role.account && $0.role == role.name }.sorted { $0.sortKey < $1.sortKey }
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
