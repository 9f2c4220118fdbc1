/// Why an operation on user pools failed without a change.
package enum UserPoolRefusal: Error, Equatable {
    /// There is no pool with this identifier.
    case noSuchPool(String)
    /// The pool is protected from deletion.
    case protectedPool
    /// There is no client with this identifier.
    case noSuchClient(String)
    /// There is no such person.
    case noSuchUser
    /// The username is taken.
    case usernameExists
    /// The pool has the most people who have not confirmed their sign-up.
    case tooManyUnconfirmed(Int)
    /// The attribute's value is the alias or username of another person.
    case aliasExists(String)
    /// There is no group of this name.
    case noSuchGroup
    /// The name of the group is taken.
    case groupExists(String)
}
