import WireFormats

/// The settings of which every pool has the one value that DescribeUserPool returns.
///
/// Terraform and other clients send back all that a pool has when they change one setting. Every other value is refused by name.
extension UserPoolSettings {
    /// Reads and checks these members of CreateUserPool and UpdateUserPool.
    static func checkFixedMembers(_ input: inout UserPoolInput) throws(UserPoolError) {
        if var template = try input.object("VerificationMessageTemplate") {
            let option = try template.choice("DefaultEmailOption", of: ["CONFIRM_WITH_LINK", "CONFIRM_WITH_CODE"])
            try template.check()
            guard option != "CONFIRM_WITH_LINK" else { throw .unsupported("DefaultEmailOption CONFIRM_WITH_LINK") }
        }
        if var settings = try input.object("UserAttributeUpdateSettings") {
            let name = "AttributesRequireVerificationBeforeUpdate"
            let attributes = try settings.texts(name, of: ["phone_number", "email"])
            try settings.check()
            guard attributes?.isEmpty ?? true else { throw .unsupported(name) }
        }
        if let tier = try input.choice("UserPoolTier", of: ["LITE", "ESSENTIALS", "PLUS"]), tier != "ESSENTIALS" {
            throw .unsupported("UserPoolTier \(tier)")
        }
    }

    /// Reads and checks the first factors of `Policies`.
    static func checkSignInPolicy(_ policies: inout UserPoolInput) throws(UserPoolError) {
        guard var policy = try policies.object("SignInPolicy") else { return }
        let factors = try policy.texts("AllowedFirstAuthFactors", of: ["PASSWORD", "EMAIL_OTP", "SMS_OTP", "WEB_AUTHN"]) ?? []
        try policy.check()
        if let factor = factors.first(where: { $0 != "PASSWORD" }) { throw .unsupported("AllowedFirstAuthFactors \(factor)") }
    }
}
