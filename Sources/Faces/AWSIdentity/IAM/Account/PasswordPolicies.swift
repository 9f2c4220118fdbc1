import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on the account's password policy.
    static let passwordPolicies: [String: Operation] = [
        "GetAccountPasswordPolicy": .authorized(getPasswordPolicy),
        "UpdateAccountPasswordPolicy": .authorized(members: passwordPolicy, updatePasswordPolicy),
        "DeleteAccountPasswordPolicy": .authorized(deletePasswordPolicy),
    ]

    private static func getPasswordPolicy(_ call: IAMCall) async throws -> QueryService.Result? {
        guard let policy = call.directory.accounts[call.account]?.passwordPolicy else {
            throw ServiceError.noSuchEntity("The Password Policy with domain name \(call.account) cannot be found.")
        }
        return { xml in xml.element("PasswordPolicy") { policy.encode(into: &$0) } }
    }

    /// Reads the settings of UpdateAccountPasswordPolicy. Those that are not passed return to their default.
    private static func passwordPolicy(_ parameters: inout QueryParameters) throws(ServiceError) -> PasswordPolicy {
        var policy = PasswordPolicy()
        policy.minimumLength = try parameters.integer("MinimumPasswordLength", range: 6...128) ?? policy.minimumLength
        policy.requiresSymbols = try parameters.flag("RequireSymbols") ?? false
        policy.requiresNumbers = try parameters.flag("RequireNumbers") ?? false
        policy.requiresUppercase = try parameters.flag("RequireUppercaseCharacters") ?? false
        policy.requiresLowercase = try parameters.flag("RequireLowercaseCharacters") ?? false
        policy.allowsUsersToChange = try parameters.flag("AllowUsersToChangePassword") ?? false
        policy.maximumAge = try parameters.integer("MaxPasswordAge", range: 1...1095)
        policy.reusePrevention = try parameters.integer("PasswordReusePrevention", range: 1...24)
        policy.isExpiryHard = try parameters.flag("HardExpiry") ?? false
        return policy
    }

    private static func updatePasswordPolicy(_ policy: PasswordPolicy, _ call: IAMCall) async throws -> QueryService.Result? {
        try await call.perform { [id = call.account] directory throws(AccountRefusal) in
            try directory.setPasswordPolicy(policy, of: id)
        }
        return nil
    }

    private static func deletePasswordPolicy(_ call: IAMCall) async throws -> QueryService.Result? {
        try await call.perform { [id = call.account] directory throws(AccountRefusal) in try directory.removePasswordPolicy(of: id) }
        return nil
    }
}

extension PasswordPolicy {
    /// Writes the members of the shape `PasswordPolicy`.
    fileprivate func encode(into xml: inout XMLWriter) {
        xml.element("MinimumPasswordLength", minimumLength)
        xml.element("RequireSymbols", requiresSymbols)
        xml.element("RequireNumbers", requiresNumbers)
        xml.element("RequireUppercaseCharacters", requiresUppercase)
        xml.element("RequireLowercaseCharacters", requiresLowercase)
        xml.element("AllowUsersToChangePassword", allowsUsersToChange)
        xml.element("ExpirePasswords", maximumAge != nil)
        if let maximumAge { xml.element("MaxPasswordAge", maximumAge) }
        if let reusePrevention { xml.element("PasswordReusePrevention", reusePrevention) }
        if isExpiryHard { xml.element("HardExpiry", true) }
    }
}
