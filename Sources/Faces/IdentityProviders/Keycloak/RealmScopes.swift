/// The scopes of Keycloak that other providers do not have. (Keycloak, "Server Administration Guide", "Client scopes".)
enum RealmScopes {
    /// The scopes that every client has and that are not listed in tokens, so that naming them has no effect.
    static let unlisted = ["acr", "basic", "roles", "web-origins"]
}
