import WireFormats

/// The rules for passwords of a user pool. (Amazon Cognito User Pools API Reference, `PasswordPolicyType`.)
package struct UserPoolPasswordPolicy: Sendable, Codable, Hashable {
    /// The least number of characters, 6 to 99.
    package var minimumLength = 8
    /// Whether a password needs a letter in upper case.
    package var requiresUppercase = true
    /// Whether a password needs a letter in lower case.
    package var requiresLowercase = true
    /// Whether a password needs a digit.
    package var requiresNumbers = true
    /// Whether a password needs a symbol.
    package var requiresSymbols = true
    /// The number of days for which a temporary password is valid.
    package var temporaryValidityDays = 7

    package init() {}

    /// The symbols. (Amazon Cognito Developer Guide, "Adding user pool password requirements".)
    private static let symbols = Array("^$*.[]{}()?\"!@#%&/\\,><':;|_~`=+- ".utf8)

    /// Returns the rule that a password breaks, in the words of the service; `nil` for a good password.
    package func fault(of password: String) -> String? {
        if password.unicodeScalars.count < minimumLength { return "Password not long enough" }
        let bytes = Array(password.utf8)
        if requiresUppercase, !bytes.contains(where: { 0x41...0x5A ~= $0 }) { return "Password must have uppercase characters" }
        if requiresLowercase, !bytes.contains(where: { 0x61...0x7A ~= $0 }) { return "Password must have lowercase characters" }
        if requiresNumbers, !bytes.contains(where: { 0x30...0x39 ~= $0 }) { return "Password must have numeric characters" }
        if requiresSymbols, !bytes.contains(where: { Self.symbols.contains($0) }) { return "Password must have symbol characters" }
        return nil
    }
}
