import Cloud
import Directory
import Federation
import WireFormats

extension RPCService {
    /// Operations on users.
    static func users(_ api: IdentityAPI) -> [String: RPCOperation] {
        [
            "CreateUser": RPCOperation { try await $0.createUser(api) }, "GetUser": RPCOperation { try $0.getUser(api) },
            "UpdateUser": RPCOperation { try await $0.updateUser(api) }, "DeleteUser": RPCOperation { try await $0.deleteUser(api) },
            "ListUsers": RPCOperation { try $0.listUsers(api) },
        ].merging(
            api == .ims
                ? [
                    "ListUserBasicInfos": RPCOperation { try $0.listUserBasicInfos() },
                    "GetDefaultDomain": RPCOperation { try $0.getDefaultDomain() },
                ] : [:]
        ) { first, _ in first }
    }
}

extension RPCCall {
    private static let mostUsers = 1000

    /// Returns the name of the user that the call names.
    func userName(_ api: IdentityAPI) throws(RPCError) -> String {
        switch api {
        case .ram: try name(api.userParameter, .user)
        case .ims: try Self.userName(in: try required(api.userParameter), api.userParameter, domains: domains)
        }
    }

    /// Returns the new name of a user, if the call passes one.
    private func newUserName(_ api: IdentityAPI) throws(RPCError) -> String? {
        switch api {
        case .ram: return try newName("NewUserName", .user)
        case .ims:
            guard let text = text("NewUserPrincipalName") else { return nil }
            return try Self.userName(in: text, "NewUserPrincipalName", domains: domains)
        }
    }

    /// Returns the name in `<name>@<domain>`.
    private static func userName(in text: String, _ parameter: String, domains: [String]) throws(RPCError) -> String {
        guard text.utf8.count <= 128 else { throw .tooLong(parameter) }
        guard let at = text.lastIndex(of: "@"), domains.contains(String(text[text.index(after: at)...])) else {
            throw .wrongFormat(parameter)
        }
        let name = String(text[..<at])
        guard (1...RAMName.user.longest).contains(name.utf8.count) else { throw .tooLong(parameter) }
        guard RAMName.user.allowsCharacters(of: name), !name.contains("@") else { throw .invalidCharacters(parameter) }
        return name
    }

    /// The domains of the account's users: that of its alias, if it has one, and that of its number.
    private var domains: [String] {
        ([directory.accounts[account]?.alias].compactMap(\.self) + [account]).map { "\($0).onaliyun.com" }
    }

    /// Returns the login name of a user.
    func principalName(of name: String) -> String { "\(name)@\(domains[0])" }

    /// Returns the user with a name.
    /// - Throws: `EntityNotExist.User`.
    func user(_ name: String, in directory: Directory) throws(RPCError) -> User {
        guard let user = directory.user(name, in: account)?.user else { throw .notExist("User", "user") }
        return user
    }

    fileprivate func createUser(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try userName(api)
        var profile = UserProfile()
        profile.displayName = try displayName("DisplayName")
        if api == .ims, profile.displayName == nil { throw RPCError.missing("DisplayName") }
        profile.comments = try remark("Comments", longest: 128)
        profile.mobilePhone = try phone("MobilePhone")
        profile.email = try mail("Email")
        profile.updated = now
        try permit(resource("user"))
        var user = User(account: account, name: name, path: "/", id: try RAMIdentifier.user(), created: now)
        user.profile = profile
        if api == .ims { user.tags = try tags() }
        try await edit { [user] directory in try directory.createUser(user, limit: Self.mostUsers) }
        return ["User": describe(user, api, .created)]
    }

    fileprivate func getUser(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        let name = try userOfCall(api)
        try permit(resource("user", name))
        return ["User": describe(try user(name, in: directory), api, .alone)]
    }

    /// Returns the name of the user that a call names. IMS also accepts a user ID or an access key instead.
    private func userOfCall(_ api: IdentityAPI) throws(RPCError) -> String {
        if api == .ims, text(api.userParameter) == nil {
            if let id = text("UserId") {
                let user = directory.users.values.first { $0.user.account == account && $0.user.id == id }
                guard let user else { throw .notExist("User", "user") }
                return user.user.name
            }
            if let key = text("UserAccessKeyId") {
                guard case .user(let entry, _)? = directory.keys[key], entry.user.account == account else {
                    throw .notExist("User", "user")
                }
                return entry.user.name
            }
        }
        return try userName(api)
    }

    fileprivate func updateUser(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try userOfCall(api)
        let newName = try newUserName(api)
        let displayName = try displayName("NewDisplayName")
        let comments = try remark("NewComments", longest: 128)
        let phone = try phone("NewMobilePhone")
        let email = try mail("NewEmail")
        try permit(resource("user", name))
        let user = try await edit { directory in
            try directory.updateUser(name, in: account) { user in
                var profile = user.profile ?? UserProfile()
                if let displayName { profile.displayName = displayName }
                if let comments { profile.comments = comments }
                if let phone { profile.mobilePhone = phone }
                if let email { profile.email = email }
                profile.updated = now
                user.profile = profile
                user.name = newName ?? user.name
            }
        }
        return ["User": describe(user, api, .listed)]
    }

    fileprivate func deleteUser(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try userOfCall(api)
        try permit(resource("user", name))
        try await edit { directory in
            try directory.deleteUser(name, in: account, unlessHolding: [.groups, .accessKeys, .loginProfile, .attachedPolicies])
        }
        return .done
    }

    private var usersOfAccount: [User] { directory.users.values.map(\.user).filter { $0.account == account } }

    fileprivate func listUsers(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        try permit(resource("user"))
        let wanted = api == .ims ? try tags() : []
        return try list("Users", of: "User", usersOfAccount.filter { $0.tags.has(wanted) }, by: \.name) { describe($0, api, .listed) }
    }

    fileprivate func listUserBasicInfos() throws(RPCError) -> RPCValue {
        try permit(resource("user"))
        return try list("UserBasicInfos", of: "UserBasicInfo", usersOfAccount, by: \.name) { user in
            [
                "UserPrincipalName": .text(principalName(of: user.name)), "DisplayName": .text(user.profile?.displayName ?? ""),
                "UserId": .text(user.id),
            ]
        }
    }

    fileprivate func getDefaultDomain() throws(RPCError) -> RPCValue {
        try permit(accountResource)
        return ["DefaultDomainName": .text(domains[0])]
    }

    /// How much of a user a response contains.
    enum Detail {
        case created
        case listed
        case alone
    }

    /// Returns a user as RAM describes it. (RAM API Reference, "User"; the members are those of the SDKs' models.)
    private func describe(_ user: User, _ api: IdentityAPI, _ detail: Detail) -> RPCValue {
        let profile = user.profile
        let isRAM = api == .ram
        return .members([
            "UserId": .text(user.id), "UserName": isRAM ? .text(user.name) : nil,
            "UserPrincipalName": isRAM ? nil : .text(principalName(of: user.name)),
            "DisplayName": .text(profile?.displayName ?? ""), "MobilePhone": .text(profile?.mobilePhone ?? ""),
            "Email": .text(profile?.email ?? ""), "Comments": .text(profile?.comments ?? ""), "CreateDate": .date(user.created),
            "UpdateDate": detail == .created && isRAM ? nil : .date(profile?.updated ?? user.created),
            "LastLoginDate": detail == .alone ? "" : nil, "ProvisionType": isRAM ? nil : "Manual",
            "Tags": isRAM || detail == .created ? nil : Self.describe(user.tags),
        ])
    }

    private func displayName(_ parameter: String) throws(RPCError) -> String? {
        guard let text = text(parameter) else { return nil }
        guard text.unicodeScalars.count <= 128 else { throw .tooLong(parameter) }
        return text
    }

    /// Parses a phone number, `<country code>-<number>`.
    private func phone(_ parameter: String) throws(RPCError) -> String? {
        guard let text = text(parameter) else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else {
            throw .wrongFormat(parameter)
        }
        return text
    }

    private func mail(_ parameter: String) throws(RPCError) -> String? {
        guard let text = text(parameter) else { return nil }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw .wrongFormat(parameter)
        }
        return text
    }
}
