import Cloud
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Users themselves; what they hold has files of its own.
    static let users: [String: Operation] = [
        "CreateUser": createUser, "GetUser": getUser, "ListUsers": listUsers,
    ]

    /// CreateUser.
    private static func createUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("UserName", length: 1...64, pattern: .name)
        let path = call.parameters.path() ?? "/"
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        let user = User(
            account: call.account, name: name, path: path, id: try UniqueID.user.make(), created: call.now, tags: tags)
        try call.authorize(on: user.arn, newTags: tags)
        try await call.cloud.edit { directory in
            guard directory.user(user.name, in: user.account) == nil else {
                throw QueryError.entityAlreadyExists("User with name \(user.name) already exists.")
            }
            directory.put(.user(user))
        }
        return { xml in xml.element("User") { user.encode(into: &$0, withTags: true) } }
    }

    /// GetUser; without a name the user who asks.
    private static func getUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.text("UserName", length: 1...128, pattern: .name)
        try call.parameters.check()
        if name == nil, case .root(let account, _) = call.caller {
            try call.authorize(on: account.rootARN)
            return { xml in
                xml.element("User") { xml in
                    xml.element("UserId", account.id)
                    xml.element("Arn", account.rootARN)
                    xml.element("CreateDate", Timestamp.fill.iso8601)
                }
            }
        }
        let user = try call.user(name)
        try call.authorize(on: user.arn, tags: user.tags)
        return { xml in xml.element("User") { user.encode(into: &$0, withTags: true) } }
    }

    /// ListUsers.
    private static func listUsers(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let prefix = call.parameters.pathPrefix()
        try call.authorize(on: call.arn("user", "", path: prefix))
        let users = call.directory.users.values.map(\.user).filter { [account = call.account] in
            $0.account == account && $0.path.hasPrefix(prefix)
        }.sorted { $0.name < $1.name }
        let page = try Page(of: users, parameters: &call.parameters, key: \.name)
        return { xml in page.encode("Users", into: &xml) { user, xml in user.encode(into: &xml, withTags: false) } }
    }
}

extension IAMCall {
    /// The user of a name in the caller's account; without a name the user who asks.
    func user(_ name: String?) throws(QueryError) -> User {
        guard let name else {
            guard case .user(let user, _) = caller else {
                throw .validation("Must specify userName when calling with non-User credentials")
            }
            return user.user
        }
        guard let entry = directory.user(name, in: account) else {
            // What does not exist is told only to those who may know.
            try authorize(on: arn("user", name))
            throw .noSuchEntity("The user with name \(name) cannot be found.")
        }
        return entry.user
    }
}

extension User {
    /// The members of the shape `User`. Lists leave tags and the boundary out.
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
