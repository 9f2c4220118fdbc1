import Cloud
import Directory
import Federation
import WireFormats

extension RPCService {
    /// Operations on the access keys of users.
    static func accessKeys(_ api: IdentityAPI) -> [String: RPCOperation] {
        [
            "CreateAccessKey": RPCOperation { try await $0.createAccessKey(api) },
            "ListAccessKeys": RPCOperation { try $0.listAccessKeys(api) },
            "UpdateAccessKey": RPCOperation { try await $0.updateAccessKey(api) },
            "DeleteAccessKey": RPCOperation { try await $0.deleteAccessKey(api) },
            "GetAccessKeyLastUsed": RPCOperation { try $0.getAccessKeyLastUsed(api) },
        ]
    }
}

extension RPCCall {
    /// Returns the name of the user whose keys the call is about: the named user, or the caller.
    private func ownerOfKeys(_ api: IdentityAPI) throws(RPCError) -> String {
        if text(api.userParameter) == nil, case .user(let entry, _) = caller { return entry.user.name }
        return try userName(api)
    }

    private func permitKeys(of name: String) throws(RPCError) {
        try permit(on: name, orThemselvesWhere: \.letsUsersManageAccessKeys)
    }

    private func describe(_ key: AccessKey, _ secret: String? = nil) -> RPCValue {
        .members([
            "AccessKeyId": .text(key.id), "AccessKeySecret": secret.map { .text($0) }, "Status": key.isActive ? "Active" : "Inactive",
            "CreateDate": .date(cloud.clock.effective(key.created)),
        ])
    }

    /// CreateAccessKey. Only its response contains the secret.
    fileprivate func createAccessKey(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try ownerOfKeys(api)
        try permitKeys(of: name)
        let key = AccessKey(id: try RAMIdentifier.accessKey(), secret: try RAMIdentifier.secret(), created: now)
        try await changeKeys(of: name) { keys throws(DirectoryRefusal) in try keys.add(key) }
        return ["AccessKey": describe(key, key.secret)]
    }

    fileprivate func listAccessKeys(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        let name = try ownerOfKeys(api)
        try permitKeys(of: name)
        return ["AccessKeys": .list(of: "AccessKey", try user(name, in: directory).accessKeys.map { describe($0) })]
    }

    fileprivate func updateAccessKey(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try ownerOfKeys(api)
        let id = try required("UserAccessKeyId")
        let status = try required("Status")
        guard ["Active", "Inactive"].contains(status) else { throw RPCError.incorrect("Status") }
        try permitKeys(of: name)
        try await changeKeys(of: name) { keys throws(DirectoryRefusal) in try keys.set(id, isActive: status == "Active") }
        return .done
    }

    fileprivate func deleteAccessKey(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try ownerOfKeys(api)
        let id = try required("UserAccessKeyId")
        try permitKeys(of: name)
        try await changeKeys(of: name) { keys throws(DirectoryRefusal) in try keys.delete(id) }
        return .done
    }

    private func changeKeys(
        of name: String, _ change: @Sendable (inout [AccessKey]) throws(DirectoryRefusal) -> Void
    ) async throws {
        try await edit { directory in
            try directory.updateHolder(User.self, name, in: account) { user, _ in try change(&user.accessKeys) }
        }
    }

    /// GetAccessKeyLastUsed. A key that was never used has an empty date.
    fileprivate func getAccessKeyLastUsed(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        let name = try ownerOfKeys(api)
        let id = try required("UserAccessKeyId")
        try permitKeys(of: name)
        guard let key = try user(name, in: directory).accessKeys.first(where: { $0.id == id }) else {
            throw .notExist("User.AccessKey", "user access key")
        }
        let use = cloud.keyUses.lastUse(of: key)
        return [
            "AccessKeyLastUsed": .members([
                "LastUsedDate": use.map { .date($0.reportedTime(by: cloud.clock)) } ?? "",
                "ServiceName": api == .ims ? .text(use?.service ?? "") : nil,
            ])
        ]
    }
}
