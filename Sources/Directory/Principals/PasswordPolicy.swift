/// What an account asks of its users' passwords. (IAM API Reference, "PasswordPolicy".)
package struct PasswordPolicy: Sendable, Codable {
    package var minimumLength = 6
    package var requiresSymbols = false
    package var requiresNumbers = false
    package var requiresUppercase = false
    package var requiresLowercase = false
    package var allowsUsersToChange = false
    /// Days; nothing where passwords do not expire.
    package var maximumAge: Int?
    package var reusePrevention: Int?
    package var isExpiryHard = false
    /// How often somebody may try to log in within an hour; nothing where RAM does not count.
    package var loginAttempts: Int?

    package init() {}
}
