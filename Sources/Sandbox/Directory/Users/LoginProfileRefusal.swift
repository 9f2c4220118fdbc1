/// The reason why a login profile is not changed. Each cloud writes it in its own words.
package enum LoginProfileRefusal: Error, Equatable {
    /// The account has no user of this name.
    case noSuchUser(String)
    /// The user has no login profile.
    case noSuchProfile(user: String)
    /// The user has a login profile already.
    case profileAlreadyExists(user: String)
    /// The old password that the user gave is not the present one.
    case wrongPassword
    /// The new password is the present one.
    case samePassword
    /// The account's password policy does not allow the new password.
    case password(PasswordFault)
}
