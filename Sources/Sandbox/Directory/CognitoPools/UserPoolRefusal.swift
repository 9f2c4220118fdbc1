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
    /// The pool has a domain, which must be deleted first.
    case poolWithDomain
    /// The pool has a domain of the same kind.
    case poolHasDomain
    /// Another pool has the domain.
    case domainTaken
    /// The pool has no such domain.
    case noSuchDomain
    /// The pool has no resource server with this identifier.
    case noSuchResourceServer(String)
    /// The pool has no identity provider of this name.
    case noSuchProvider(String)
    /// The name of the identity provider is taken.
    case providerExists(String, pool: String)
    /// Claims of an identity provider would change this attribute, which is fixed.
    case immutableAttribute(String)
    /// The claims of an identity provider lack required attributes.
    case attributesRequired([String])
    /// The person of an identity provider has signed in before.
    case alreadySignedUp
    /// The person is linked to as many identity providers as possible.
    case tooManyLinks
    /// The identifier of the resource server is taken.
    case resourceServerExists(String, pool: String)
}
