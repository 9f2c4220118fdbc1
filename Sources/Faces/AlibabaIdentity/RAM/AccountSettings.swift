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

    /// The operation of IMS on the account as a whole.
    static let accountSummary: [String: RPCOperation] = ["GetAccountSummary": RPCOperation { try $0.getAccountSummary() }]
}

extension RPCCall {
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
        try await perform { directory throws(AccountRefusal) in try directory.setAlias(alias, of: account) }
        return .done
    }

    /// GetAccountAlias. Returns the account's alias, or its number if it has none.
    fileprivate func getAccountAlias() throws(RPCError) -> RPCValue {
        try permit(accountResource)
        return ["AccountAlias": .text(directory.accounts[account]?.alias ?? account)]
    }

    fileprivate func clearAccountAlias() async throws -> RPCValue {
        try permit(accountResource)
        try await perform { directory throws(AccountRefusal) in try directory.removeAlias(of: account) }
        return .done
    }

    /// Returns a password policy as RAM describes it. (RAM API Reference, "SetPasswordPolicy"; `MaxLoginAttemps` is its spelling.)
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

    /// SetPasswordPolicy. Settings that are not passed return to their default.
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
        try await perform { [policy] directory throws(AccountRefusal) in try directory.setPasswordPolicy(policy, of: account) }
        return ["PasswordPolicy": describe(policy)]
    }

    fileprivate func getPasswordPolicy() throws(RPCError) -> RPCValue {
        try permit(accountResource)
        return ["PasswordPolicy": describe(directory.accounts[account]?.passwordPolicy ?? .ofRAM)]
    }

    /// Returns the security preferences as RAM describes them. (RAM API Reference, "GetSecurityPreference".)
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

    /// SetSecurityPreference. Settings that are not passed stay unchanged.
    fileprivate func setSecurityPreference() async throws -> RPCValue {
        let remembersDevices = try flag("EnableSaveMFATicket")
        let changePassword = try flag("AllowUserToChangePassword")
        let manageAccessKeys = try flag("AllowUserToManageAccessKeys")
        let manageDevices = try flag("AllowUserToManageMFADevices")
        let managePublicKeys = try flag("AllowUserToManagePublicKeys")
        let duration = try number("LoginSessionDuration", 1...24)
        let masks = parameters.first("LoginNetworkMasks")
        try permit(accountResource)
        let preference = try await edit { directory in
            try directory.updateAccount(account) { account in
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
        }
        return ["SecurityPreference": describe(preference)]
    }

    fileprivate func getSecurityPreference() throws(RPCError) -> RPCValue {
        try permit(accountResource)
        return ["SecurityPreference": describe(directory.accounts[account]?.securityPreference ?? SecurityPreference())]
    }

    /// GetAccountSummary. Returns the numbers of entities and their limits.
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
