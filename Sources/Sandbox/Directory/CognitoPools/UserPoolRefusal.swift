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
    /// The attribute's value is the alias or username of another person.
    case aliasExists(String)
    /// There is no group of this name.
    case noSuchGroup
    /// The name of the group is taken.
    case groupExists(String)
}
