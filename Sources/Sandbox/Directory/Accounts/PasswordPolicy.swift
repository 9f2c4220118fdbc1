/// The rules for passwords of an account's users. (IAM API Reference, "PasswordPolicy".)
package struct PasswordPolicy: Sendable, Codable {
    /// The least number of characters.
    package var minimumLength = 6
    /// Whether a password needs a symbol.
    package var requiresSymbols = false
    /// Whether a password needs a digit.
    package var requiresNumbers = false
    /// Whether a password needs an upper-case letter.
    package var requiresUppercase = false
    /// Whether a password needs a lower-case letter.
    package var requiresLowercase = false
    /// Whether users may change their own passwords.
    package var allowsUsersToChange = false
    /// The maximum age of passwords, in days; `nil` if they do not expire.
    package var maximumAge: Int?
    /// The number of previous passwords that cannot be reused, 1 to 24; `nil` if all can.
    package var reusePrevention: Int?
    /// Whether only an administrator can replace an expired password.
    package var isExpiryHard = false
    /// The number of login attempts that are allowed within an hour; `nil` if RAM does not count them.
    package var loginAttempts: Int?

    package init() {}
}

extension PasswordPolicy {
    /// The policy of Alibaba Cloud's accounts that have set none. (RAM API Reference, "GetPasswordPolicy".)
    package static let ofRAM: PasswordPolicy = {
        var policy = PasswordPolicy()
        policy.minimumLength = 8
        return policy
    }()

    /// The number of characters that a password can have at Alibaba Cloud.
    static let longestOfRAM = 32
}
