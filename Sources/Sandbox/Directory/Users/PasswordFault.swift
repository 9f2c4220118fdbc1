/// The rule of a password policy that a password violates.
package enum PasswordFault: Equatable, Sendable {
    case tooShort(minimum: Int)
    case tooLong
    case noUppercase
    case noLowercase
    case noNumber
    case noSymbol
    /// The password is one of the user's last ones.
    case usedBefore
    /// The password has characters of fewer than three kinds.
    case tooFewKinds
    /// The password is the account's alias or mail address.
    case accountName
}
