/// The reason why an operation on identity pools failed without a change. The face has the error of each.
package enum IdentityPoolRefusal: Error, Equatable {
    /// The account has no pool with this identifier.
    case noSuchPool(String)
    /// There is no identity with this identifier.
    case noSuchIdentity(String)
    /// The call has none of the logins of the identity.
    case forbidden(String)
    /// The call of a developer has none of the logins of the identity.
    case loginsDoNotMatch
    /// The pool gives no credentials to guests.
    case noGuests
    /// The pool has the most guests.
    case tooManyGuests(Int)
    /// An identity would have two logins of this provider.
    case severalLogins(provider: String)
    /// An identity would have more logins than this.
    case tooManyLogins(Int)
    /// The developer's user belongs to another identity.
    case registeredUser
    /// The pool has another developer provider, or none.
    case unknownDeveloperProvider
    /// There is no identity with this identifier of the developer's user.
    case noSuchUser(String)
    /// The identity and the developer's user do not belong together.
    case userOfAnotherIdentity
    /// The name of the developer provider cannot change once it is set.
    case developerProviderIsFinal
    /// The account would have more pools than this.
    case tooManyPools(Int)
}
