import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on the account's password policy.
    static let passwordPolicies: [String: Operation] = [
        "GetAccountPasswordPolicy": .init(getPasswordPolicy), "UpdateAccountPasswordPolicy": .init(updatePasswordPolicy),
        "DeleteAccountPasswordPolicy": .init(deletePasswordPolicy),
    ]

    private static func getPasswordPolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        try call.authorize(on: "*")
        guard let policy = call.directory.accounts[call.account]?.passwordPolicy else {
            throw ServiceError.noSuchEntity("The Password Policy with domain name \(call.account) cannot be found.")
        }
        return { xml in xml.element("PasswordPolicy") { policy.encode(into: &$0) } }
    }

    /// UpdateAccountPasswordPolicy. Settings that are not passed return to their default.
    private static func updatePasswordPolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        var policy = PasswordPolicy()
        policy.minimumLength = try call.parameters.integer("MinimumPasswordLength", range: 6...128) ?? policy.minimumLength
        policy.requiresSymbols = try call.parameters.flag("RequireSymbols") ?? false
        policy.requiresNumbers = try call.parameters.flag("RequireNumbers") ?? false
        policy.requiresUppercase = try call.parameters.flag("RequireUppercaseCharacters") ?? false
        policy.requiresLowercase = try call.parameters.flag("RequireLowercaseCharacters") ?? false
        policy.allowsUsersToChange = try call.parameters.flag("AllowUsersToChangePassword") ?? false
        policy.maximumAge = try call.parameters.integer("MaxPasswordAge", range: 1...1095)
        policy.reusePrevention = try call.parameters.integer("PasswordReusePrevention", range: 1...24)
        policy.isExpiryHard = try call.parameters.flag("HardExpiry") ?? false
        try call.parameters.check()
        try call.authorize(on: "*")
        try await call.perform { [policy, id = call.account] directory throws(AccountRefusal) in
            try directory.setPasswordPolicy(policy, of: id)
        }
        return nil
    }

    private static func deletePasswordPolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        try call.authorize(on: "*")
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
