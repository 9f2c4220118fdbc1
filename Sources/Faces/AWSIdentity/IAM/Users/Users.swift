import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on users; those on their credentials and policies are in separate files.
    static let users: [String: Operation] = [
        "CreateUser": .init(createUser), "GetUser": .init(getUser), "ListUsers": .list(of: "user", listUsers),
        "UpdateUser": .init(updateUser),
        "DeleteUser": .authorized(members: userName, on: { try $1.found($0) }, deleteUser),
    ]

    /// The maximum number of users of an account. (IAM User Guide, "IAM and AWS STS quotas".)
    static let userQuota = 5000

    private static func createUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("UserName", length: 1...64, pattern: .entityName)
        let path = call.parameters.path() ?? "/"
        let boundary = call.parameters.boundary()
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        let user = User(
            account: call.account, name: name, path: path, id: try UniqueID.user.make(), created: call.now, boundary: boundary, tags: tags)
        try call.authorize(on: user.arn, newTags: tags, keys: user.boundaryKeys)
        try call.admit(tags, User.tagFamily, on: user.arn)
        try await call.edit(.user) { directory in
            if let boundary { try directory.checkBoundary(boundary, in: user.account) }
            try directory.createUser(user, limit: userQuota)
        }
        return { xml in xml.element("User") { user.encode(into: &$0, withTags: true) } }
    }

    /// GetUser. Without a name it returns the calling user.
    private static func getUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.text("UserName", length: 1...128, pattern: .entityName)
        try call.parameters.check()
        if name == nil, case .root(let account, _) = call.caller {
            try call.authorize(on: account.rootARN)
            return { xml in xml.element("User") { account.encodeRoot(into: &$0) } }
        }
        let user = try call.user(name)
        try call.authorize(on: user.arn, tags: user.tags)
        return { xml in xml.element("User") { user.encode(into: &$0, withTags: true) } }
    }

    private static func listUsers(_ members: (path: String, part: PagePart), _ call: IAMCall) async throws -> QueryService.Result? {
        let page = try Page(of: call.directory.users, in: call.account, members.part) { $0.user.path.hasPrefix(members.path) }
        return { xml in page.encode("Users", into: &xml) { found, xml in found.value.user.encode(into: &xml, withTags: false) } }
    }

    /// UpdateUser. It must be allowed for the old and the new name.
    private static func updateUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("UserName", length: 1...128, pattern: .entityName)
        let newPath = call.parameters.text("NewPath", length: 1...512, pattern: .path)
        let newName = call.parameters.text("NewUserName", length: 1...64, pattern: .entityName)
        try call.parameters.check()
        let found: User = try call.found(name)
        try call.authorize(on: found.arn, tags: found.tags)
        var renamed = found
        renamed.path = newPath ?? found.path
        renamed.name = newName ?? found.name
        if renamed.arn != found.arn { try call.authorize(on: renamed.arn, tags: found.tags) }
        _ = try await call.edit(.user) { [account = call.account] directory in
            try directory.updateUser(name, in: account) { user in
                user.path = newPath ?? user.path
                user.name = newName ?? user.name
            }
        }
        return nil
    }

    /// What prevents the deletion of a user. The real service reports devices before keys (from public records).
    private static let holdings: [DirectoryRefusal.Holding] = [
        .devices, .accessKeys, .loginProfile, .signingCertificates, .publicKeys, .serviceCredentials, .groups, .attachedPolicies,
        .inlinePolicies,
    ]

    /// DeleteUser. Everything that belongs to the user must be removed before. (IAM API Reference, "DeleteUser".)
    private static func deleteUser(_ name: String, _: User, _ call: IAMCall) async throws -> QueryService.Result? {
        try await call.edit(.user) { [account = call.account] directory in
            try directory.deleteUser(name, in: account, unlessHolding: holdings)
        }
        return nil
    }

    private static func userName(_ parameters: inout QueryParameters) -> String {
        parameters.requiredText("UserName", length: 1...128, pattern: .entityName)
    }
}

extension IAMCall {
    /// Returns the user with a name in the caller's account; without a name the calling user.
    func user(_ name: String?) throws(ServiceError) -> User {
        if let name { return try found(name) }
        guard case .user(let user, _) = caller else {
            throw .validation("Must specify userName when calling with non-User credentials")
        }
        return user.user
    }
}

extension User {
    /// The lowercased name: lists are sorted case-insensitively.
    var sortKey: String { name.lowercased() }

    /// Writes the members of the shape `User`. Lists omit tags and the boundary.
    func encode(into xml: inout XMLWriter, withTags: Bool) {
        xml.element("Path", path)
        xml.element("UserName", name)
        xml.element("UserId", id)
        xml.element("Arn", arn)
        xml.element("CreateDate", created.iso8601)
        guard withTags else { return }
        if let boundary { xml.boundary(boundary) }
        xml.tags(tags)
    }
}

extension Account {
    /// Writes the root user in the shape `User`. It has neither path nor name.
    func encodeRoot(into xml: inout XMLWriter) {
        xml.element("UserId", id)
        xml.element("Arn", rootARN)
        xml.element("CreateDate", Timestamp.fill.iso8601)
    }
}
