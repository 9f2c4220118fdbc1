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
    private static let noProfile = RPCError.notExist("User.LoginProfile", "user login profile")

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
        let profile = try await cloud.edit { directory in
            var user = try self.user(name, in: directory)
            guard user.loginProfile == nil else { throw RPCError.alreadyExists("User.LoginProfile", "user login profile") }
            try check(password, of: user, in: directory)
            var profile = LoginProfile(password: password, created: now, mustChange: mustChange)
            profile.mustBindDevice = mustBind
            user.loginProfile = profile
            directory.put(.user(user))
            return profile
        }
        return ["LoginProfile": describe(profile, of: name, api)]
    }

    fileprivate func getLoginProfile(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        let name = try userName(api)
        try permit(resource("user", name))
        guard let profile = try user(name, in: directory).loginProfile else { throw Self.noProfile }
        return ["LoginProfile": describe(profile, of: name, api)]
    }

    /// UpdateLoginProfile. RAM returns nothing, IMS returns the profile.
    fileprivate func updateLoginProfile(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try userName(api)
        let password = text("Password")
        let mustChange = try flag("PasswordResetRequired")
        let mustBind = try flag("MFABindRequired")
        try permit(resource("user", name))
        let profile = try await cloud.edit { directory in
            var user = try self.user(name, in: directory)
            guard var profile = user.loginProfile else { throw Self.noProfile }
            if let password {
                try check(password, of: user, in: directory)
                profile.setPassword(password, at: now)
            }
            if let mustChange { profile.mustChange = mustChange }
            if let mustBind { profile.mustBindDevice = mustBind }
            user.loginProfile = profile
            directory.put(.user(user))
            return profile
        }
        return api == .ram ? .done : ["LoginProfile": describe(profile, of: name, api)]
    }

    fileprivate func deleteLoginProfile(_ api: IdentityAPI) async throws -> RPCValue {
        let name = try userName(api)
        try permit(resource("user", name))
        try await cloud.edit { directory in
            var user = try self.user(name, in: directory)
            guard user.loginProfile != nil else { throw Self.noProfile }
            user.loginProfile = nil
            directory.put(.user(user))
        }
        return .done
    }

    /// ChangePassword. Changes the caller's own password.
    fileprivate func changePassword() async throws -> RPCValue {
        let (old, new) = (try required("OldPassword"), try required("NewPassword"))
        guard case .user(let entry, _) = caller else { throw RPCError.noPermission }
        try permit(on: entry.user.name, orThemselvesWhere: \.letsUsersChangePassword)
        try await cloud.edit { directory in
            var user = try self.user(entry.user.name, in: directory)
            guard var profile = user.loginProfile else { throw Self.noProfile }
            guard profile.password == old else { throw RPCError.incorrect("OldPassword") }
            try check(new, of: user, in: directory, "NewPassword")
            profile.setPassword(new, at: now)
            profile.mustChange = false
            user.loginProfile = profile
            directory.put(.user(user))
        }
        return .done
    }

    /// Rejects a password that does not comply with the account's policy.
    private func check(_ password: String, of user: User, in directory: Directory, _ parameter: String = "Password") throws(RPCError) {
        let policy = directory.accounts[account]?.passwordPolicy ?? .ofRAM
        let isUsed = user.loginProfile?.hasUsed(password, amongLast: policy.reusePrevention) == true
        func has(_ kind: ClosedRange<Unicode.Scalar>) -> Bool { password.unicodeScalars.contains { kind.contains($0) } }
        let hasSymbol = password.unicodeScalars.contains {
            ("!"..."~").contains($0) && !$0.properties.isAlphabetic && !("0"..."9").contains($0)
        }
        let isStrong =
            (policy.minimumLength...32).contains(password.unicodeScalars.count) && (!policy.requiresLowercase || has("a"..."z"))
            && (!policy.requiresUppercase || has("A"..."Z")) && (!policy.requiresNumbers || has("0"..."9"))
            && (!policy.requiresSymbols || hasSymbol) && !isUsed
        guard isStrong else {
            throw RPCError(
                "InvalidParameter.\(parameter).TooWeak", .badRequest,
                "The parameter - \"\(parameter)\" is not compliant with the password policy.")
        }
    }
}

extension PasswordPolicy {
    /// The policy of an account that has set none. (RAM API Reference, "GetPasswordPolicy".)
    static let ofRAM: PasswordPolicy = {
        var policy = PasswordPolicy()
        policy.minimumLength = 8
        return policy
    }()
}
