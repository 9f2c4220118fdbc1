import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on long-term access keys of users and of the root user.
    static let accessKeys: [String: Operation] = [
        "CreateAccessKey": .init(createAccessKey), "UpdateAccessKey": .init(updateAccessKey), "DeleteAccessKey": .init(deleteAccessKey),
        "ListAccessKeys": .init(listAccessKeys), "GetAccessKeyLastUsed": .init(getAccessKeyLastUsed),
    ]

    private static func createAccessKey(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let holder = try holder(&call)
        // Thirty bytes are forty characters in base 64, as AWS's secrets have.
        let key = AccessKey(id: try UniqueID.accessKey.make(), secret: try randomBytes(30).base64, created: call.now)
        try await call.changeKeys(of: holder) { keys throws(DirectoryRefusal) in try keys.add(key) }
        return { xml in
            xml.element("AccessKey") { xml in
                if let name = holder.name { xml.element("UserName", name) }
                xml.element("AccessKeyId", key.id)
                xml.element("Status", "Active")
                xml.element("SecretAccessKey", key.secret)
                xml.element("CreateDate", key.created.iso8601)
            }
        }
    }

    private static func updateAccessKey(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let id = call.parameters.requiredText("AccessKeyId", length: 16...128, pattern: .word)
        let status = call.parameters.status()
        let holder = try holder(&call)
        try await call.changeKeys(of: holder) { keys throws(DirectoryRefusal) in try keys.set(id, isActive: status != .inactive) }
        return nil
    }

    private static func deleteAccessKey(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let id = call.parameters.requiredText("AccessKeyId", length: 16...128, pattern: .word)
        let holder = try holder(&call)
        try await call.changeKeys(of: holder) { keys throws(DirectoryRefusal) in try keys.delete(id) }
        return nil
    }

    private static func listAccessKeys(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let part = try call.parameters.part()
        let holder = try holder(&call)
        let page = try Page(of: holder.keys.sorted { $0.id < $1.id }, part, key: \.id)
        let clock = call.cloud.clock
        return { xml in
            page.encode("AccessKeyMetadata", into: &xml) { key, xml in
                if let name = holder.name { xml.element("UserName", name) }
                xml.element("AccessKeyId", key.id)
                xml.element("Status", CredentialStatus(isActive: key.isActive).rawValue)
                xml.element("CreateDate", clock.effective(key.created).iso8601)
            }
        }
    }

    /// GetAccessKeyLastUsed. A key of another account or an unknown key causes an access denied error.
    private static func getAccessKeyLastUsed(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let id = call.parameters.requiredText("AccessKeyId", length: 16...128, pattern: .word)
        try call.parameters.check()
        let name: String?
        let key: AccessKey
        switch call.directory.keys[id] {
        case .user(let entry, let found) where entry.user.account == call.account:
            try call.authorize(on: entry.arn, tags: entry.user.tags)
            (name, key) = (entry.user.name, found)
        case .root(let account, let found) where account.id == call.account:
            try call.authorize(on: account.rootARN)
            (name, key) = (nil, found)
        default:
            throw ServiceError(
                "AccessDenied", .forbidden,
                "User: \(call.caller.arn ?? "") is not authorized to perform: iam:GetAccessKeyLastUsed on resource: access key \(id)")
        }
        let (clock, use) = (call.cloud.clock, call.cloud.keyUses.lastUse(of: key))
        return { xml in
            if let name { xml.element("UserName", name) }
            xml.element("AccessKeyLastUsed") { xml in
                if let use { xml.element("LastUsedDate", use.reportedTime(by: clock).iso8601) }
                xml.element("ServiceName", use?.service ?? "N/A")
                xml.element("Region", use?.region ?? "N/A")
            }
        }
    }

    /// Returns the owner of the keys that a call is about: the named user, or the caller. Authorizes the call.
    private static func holder(_ call: inout IAMCall) throws(ServiceError) -> KeyHolder {
        let name = call.parameters.text("UserName", length: 1...128, pattern: .entityName)
        try call.parameters.check()
        if name == nil, case .root(let account, _) = call.caller {
            try call.authorize(on: account.rootARN)
            return .root(account)
        }
        let user = try call.user(name)
        try call.authorize(on: user.arn, tags: user.tags)
        return .user(user)
    }
}

/// The owner of access keys.
private enum KeyHolder {
    case user(User)
    case root(Account)

    /// The user's name; `nil` for the root user.
    var name: String? { if case .user(let user) = self { user.name } else { nil } }

    var keys: [AccessKey] {
        switch self {
        case .user(let user): user.accessKeys
        case .root(let account): account.rootKeys
        }
    }
}

extension IAMCall {
    fileprivate func changeKeys(
        of holder: KeyHolder, _ change: (inout [AccessKey]) throws(DirectoryRefusal) -> Void
    ) async throws {
        switch holder {
        case .user(let user): try await self.change(user.name) { (user: inout User, _) in try change(&user.accessKeys) }
        case .root:
            try await changeAccount { account in
                do throws(DirectoryRefusal) { try change(&account.rootKeys) } catch { throw ServiceError(error, of: .user) }
            }
        }
    }

    /// Applies a change to the caller's account, in its state at the time of the edit.
    func changeAccount(_ change: (inout Account) throws -> Void) async throws {
        try await edit { [id = account] directory in try directory.updateAccount(id, change) }
    }
}
