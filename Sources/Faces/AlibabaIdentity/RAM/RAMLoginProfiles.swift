import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension RPCService {
    /// Operations on users' console logins and passwords.
    static func loginProfiles(_ api: IdentityAPI) -> [String: RPCOperation] {
        [
            "CreateLoginProfile": RPCOperation { try await $0.createLoginProfile(api) },
            "GetLoginProfile": RPCOperation { try $0.getLoginProfile(api) },
            "UpdateLoginProfile": RPCOperation { try await $0.updateLoginProfile(api) },
            "DeleteLoginProfile": RPCOperation { try await $0.deleteLoginProfile(api) },
            "ChangePassword": RPCOperation { try await $0.changePassword() },
        ]
    }
}

extension RPCCall {
    private func describe(_ profile: LoginProfile, of name: String, _ api: IdentityAPI) -> RPCValue {
        let isRAM = api == .ram
        return .members([
            "UserName": isRAM ? .text(name) : nil, "UserPrincipalName": isRAM ? nil : .text(principalName(of: name)),
            "PasswordResetRequired": .flag(profile.mustChange), "MFABindRequired": .flag(profile.mustBindDevice ?? false),
            "CreateDate": isRAM ? .date(profile.created) : nil, "UpdateDate": isRAM ? nil : .date(profile.changed),
            "Status": isRAM ? nil : "Active",
        ])
    }

    fileprivate func createLoginProfile(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try userName(api)
        let password = try required("Password")
        let mustChange = try flag("PasswordResetRequired") ?? false
        let mustBind = try flag("MFABindRequired") ?? false
        try permit(resource("user", name))
        var profile = LoginProfile(password: password, created: now, mustChange: mustChange)
        profile.mustBindDevice = mustBind
        try await perform { [profile] directory throws(LoginProfileRefusal) in
            try directory.createLoginProfile(profile, for: name, in: account)
        }
        return ["LoginProfile": describe(profile, of: name, api)]
    }

    fileprivate func getLoginProfile(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        let name = try userName(api)
        try permit(resource("user", name))
        guard let profile = try user(name, in: directory).loginProfile else {
            throw LoginProfileRefusal.noSuchProfile(user: name).inWordsOfRAM
        }
        return ["LoginProfile": describe(profile, of: name, api)]
    }

    /// UpdateLoginProfile. RAM returns nothing, IMS returns the profile.
    fileprivate func updateLoginProfile(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try userName(api)
        let password = text("Password")
        let mustChange = try flag("PasswordResetRequired")
        let mustBind = try flag("MFABindRequired")
        try permit(resource("user", name))
        let profile = try await perform { directory throws(LoginProfileRefusal) in
            try directory.updateLoginProfile(of: name, in: account, password: password, at: now) { profile in
                if let mustChange { profile.mustChange = mustChange }
                if let mustBind { profile.mustBindDevice = mustBind }
            }
        }
        return api == .ram ? .done : ["LoginProfile": describe(profile, of: name, api)]
    }

    fileprivate func deleteLoginProfile(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try userName(api)
        try permit(resource("user", name))
        try await perform { directory throws(LoginProfileRefusal) in try directory.deleteLoginProfile(of: name, in: account) }
        return .done
    }

    /// ChangePassword. Changes the caller's own password.
    fileprivate func changePassword() async throws -> RPCValue {
        let (old, new) = (try required("OldPassword"), try required("NewPassword"))
        guard case .user(let entry, _) = caller else { throw RPCError.noPermission }
        try permit(on: entry.user.name, orThemselvesWhere: \.letsUsersChangePassword)
        try await cloud.edit(saying: { $0.inWordsOfRAM(about: "NewPassword") }) { directory throws(LoginProfileRefusal) in
            try directory.changePassword(of: entry.user.name, in: account, from: old, to: new, at: now)
        }
        return .done
    }
}
