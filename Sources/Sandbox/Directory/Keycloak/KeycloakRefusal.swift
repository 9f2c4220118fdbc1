/// The reason why an operation on a Keycloak realm failed without a change.
package enum KeycloakRefusal: Error, Equatable {
    /// There is no OpenID Connect issuer of this name.
    case noSuchRealm
    /// The realm has no person with this identifier.
    case noSuchPerson
    /// The realm has no client with this identifier.
    case noSuchClient
    /// The realm or the client has no role with this name or identifier.
    case noSuchRole
    /// The realm has no group with this identifier.
    case noSuchGroup
    /// Another person of the realm has this user name.
    case userNameTaken
    /// Another person of the realm has this mail address.
    case mailTaken
    /// Another client of the realm has this ID.
    case clientTaken(String)
    /// Another role of the realm or of the client has this name.
    case roleTaken(String)
    /// Another group at the same place has this name.
    case groupTaken(String, isTopLevel: Bool)
    /// The role or client belongs to every realm and cannot be changed.
    case builtIn(String)
}
