import Cloud
import Directory
import HTTPTypes
import Policy
import WireFormats

extension RPCService {
    /// Operations on the account as a whole.
    static let accountSettings: [String: RPCOperation] = [
        "SetAccountAlias": RPCOperation { try await $0.setAccountAlias() }, "GetAccountAlias": RPCOperation { try $0.getAccountAlias() },
        "ClearAccountAlias": RPCOperation { try await $0.clearAccountAlias() },
        "SetPasswordPolicy": RPCOperation { try await $0.setPasswordPolicy() },
        "GetPasswordPolicy": RPCOperation { try $0.getPasswordPolicy() },
        "SetSecurityPreference": RPCOperation { try await $0.setSecurityPreference() },
        "GetSecurityPreference": RPCOperation { try $0.getSecurityPreference() },
    ]

    /// What IMS tells of the account as a whole.
    static let accountSummary: [String: RPCOperation] = ["GetAccountSummary": RPCOperation { try $0.getAccountSummary() }]
}

/// The account of an authenticated caller has been deleted since.
private struct MissingAccount: Error {
    var id: String
}

extension RPCCall {
    private func changeAccount<T: Sendable>(_ change: @Sendable (inout Account, Directory) throws -> T) async throws -> T {
        try await cloud.edit { directory in
            guard var account = directory.accounts[account] else { throw MissingAccount(id: account) }
            let result = try change(&account, directory)
            directory.put(.account(account))
            return result
        }
    }

    /// SetAccountAlias.
    fileprivate func setAccountAlias() async throws -> RPCValue {
        let alias = try required("AccountAlias")
        guard (3...63).contains(alias.utf8.count) else {
            throw RPCError(
                "InvalidParameter.AccountAlias.Length", .badRequest, "The parameter - \"AccountAlias\" MUST be in the range of 3 and 63.")
        }
        let isMade = alias.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
        guard isMade, alias.first != "-", alias.last != "-", !alias.contains("--") else { throw RPCError.wrongFormat("AccountAlias") }
        try permit(accountResource)
        try await changeAccount { account, directory in
            // Aliases are of all accounts.
            guard !directory.accounts.values.contains(where: { $0.id != account.id && $0.vendor == .alibaba && $0.alias == alias }) else {
                throw RPCError("EntityAlreadyExists.AccountAlias", .conflict, "The account alias does already exist.")
            }
            account.alias = alias
        }
        return .done
    }

    /// GetAccountAlias: that of the account, or its number.
    fileprivate func getAccountAlias() throws(RPCError) -> RPCValue {
        try permit(accountResource)
        return ["AccountAlias": .text(directory.accounts[account]?.alias ?? account)]
    }

    /// ClearAccountAlias.
    fileprivate func clearAccountAlias() async throws -> RPCValue {
        try permit(accountResource)
        try await changeAccount { account, _ in account.alias = nil }
        return .done
    }

    /// (RAM API Reference, "SetPasswordPolicy"; `MaxLoginAttemps` is its spelling.)
    private func describe(_ policy: PasswordPolicy) -> RPCValue {
        [
            "MinimumPasswordLength": .integer(Int64(policy.minimumLength)), "RequireLowercaseCharacters": .flag(policy.requiresLowercase),
            "RequireUppercaseCharacters": .flag(policy.requiresUppercase), "RequireNumbers": .flag(policy.requiresNumbers),
            "RequireSymbols": .flag(policy.requiresSymbols), "HardExpiry": .flag(policy.isExpiryHard),
            "MaxPasswordAge": .integer(Int64(policy.maximumAge ?? 0)),
            "PasswordReusePrevention": .integer(Int64(policy.reusePrevention ?? 0)),
            "MaxLoginAttemps": .integer(Int64(policy.loginAttempts ?? 0)),
        ]
    }

    /// SetPasswordPolicy. What is not said goes back to its default.
    fileprivate func setPasswordPolicy() async throws -> RPCValue {
        var policy = PasswordPolicy.ofRAM
        if let text = text("MinimumPasswordLength") {
            guard let length = Int(digits: text), (8...32).contains(length) else {
                throw RPCError(
                    "InvalidParameter.MinimumPasswordLength.Range", .badRequest,
                    "The parameter - \"MinimumPasswordLength\" MUST be in the range of 8 and 32.")
            }
            policy.minimumLength = length
        }
        policy.requiresLowercase = try flag("RequireLowercaseCharacters") ?? false
        policy.requiresUppercase = try flag("RequireUppercaseCharacters") ?? false
        policy.requiresNumbers = try flag("RequireNumbers") ?? false
        policy.requiresSymbols = try flag("RequireSymbols") ?? false
        policy.isExpiryHard = try flag("HardExpiry") ?? false
        policy.maximumAge = try number("MaxPasswordAge", 0...1095)
        policy.reusePrevention = try number("PasswordReusePrevention", 0...24)
        policy.loginAttempts = try number("MaxLoginAttemps", 0...32)
        try permit(accountResource)
        try await changeAccount { [policy] account, _ in account.passwordPolicy = policy }
        return ["PasswordPolicy": describe(policy)]
    }

    /// GetPasswordPolicy.
    fileprivate func getPasswordPolicy() throws(RPCError) -> RPCValue {
        try permit(accountResource)
        return ["PasswordPolicy": describe(directory.accounts[account]?.passwordPolicy ?? .ofRAM)]
    }

    /// (RAM API Reference, "GetSecurityPreference".)
    private func describe(_ preference: SecurityPreference) -> RPCValue {
        [
            "LoginProfilePreference": [
                "EnableSaveMFATicket": .flag(preference.remembersDevices),
                "AllowUserToChangePassword": .flag(preference.letsUsersChangePassword),
                "LoginSessionDuration": .integer(Int64(preference.sessionDuration)), "LoginNetworkMasks": .text(preference.networkMasks),
            ],
            "AccessKeyPreference": ["AllowUserToManageAccessKeys": .flag(preference.letsUsersManageAccessKeys)],
            "PublicKeyPreference": ["AllowUserToManagePublicKeys": .flag(preference.letsUsersManagePublicKeys)],
            "MFAPreference": ["AllowUserToManageMFADevices": .flag(preference.letsUsersManageDevices)],
        ]
    }

    /// SetSecurityPreference. What is not said stays as it is.
    fileprivate func setSecurityPreference() async throws -> RPCValue {
        let remembersDevices = try flag("EnableSaveMFATicket")
        let changePassword = try flag("AllowUserToChangePassword")
        let manageAccessKeys = try flag("AllowUserToManageAccessKeys")
        let manageDevices = try flag("AllowUserToManageMFADevices")
        let managePublicKeys = try flag("AllowUserToManagePublicKeys")
        let duration = try number("LoginSessionDuration", 1...24)
        let masks = parameters.first("LoginNetworkMasks")
        try permit(accountResource)
        let preference = try await changeAccount { account, _ in
            var preference = account.securityPreference ?? SecurityPreference()
            if let remembersDevices { preference.remembersDevices = remembersDevices }
            if let changePassword { preference.letsUsersChangePassword = changePassword }
            if let manageAccessKeys { preference.letsUsersManageAccessKeys = manageAccessKeys }
            if let manageDevices { preference.letsUsersManageDevices = manageDevices }
            if let managePublicKeys { preference.letsUsersManagePublicKeys = managePublicKeys }
            if let duration { preference.sessionDuration = duration }
            if let masks { preference.networkMasks = masks }
            account.securityPreference = preference
            return preference
        }
        return ["SecurityPreference": describe(preference)]
    }

    /// GetSecurityPreference.
    fileprivate func getSecurityPreference() throws(RPCError) -> RPCValue {
        try permit(accountResource)
        return ["SecurityPreference": describe(directory.accounts[account]?.securityPreference ?? SecurityPreference())]
    }

    /// GetAccountSummary: how much there is, and how much there may be.
    fileprivate func getAccountSummary() throws(RPCError) -> RPCValue {
        try permit(accountResource)
        let directory = directory
        func count(_ number: Int) -> RPCValue { .integer(Int64(number)) }
        return [
            "SummaryMap": [
                "Users": count(directory.users.values.count { $0.user.account == account }), "UsersQuota": 1000,
                "Groups": count(directory.groups.values.count { $0.account == account }), "GroupsQuota": 50,
                "Roles": count(directory.roles.values.count { $0.role.account == account }), "RolesQuota": 1000,
                "Policies": count(directory.policies.values.count { $0.account == account }), "PoliciesQuota": 1500,
                "PolicySizeQuota": 6144, "VersionsPerPolicyQuota": 5, "AccessKeysPerUserQuota": 2, "GroupsPerUserQuota": 50,
                "AttachedPoliciesPerUserQuota": 10, "AttachedPoliciesPerGroupQuota": 10, "AttachedPoliciesPerRoleQuota": 10,
                "AttachedSystemPoliciesPerUserQuota": 20, "AttachedSystemPoliciesPerGroupQuota": 20,
                "AttachedSystemPoliciesPerRoleQuota": 20,
            ]
        ]
    }
}
