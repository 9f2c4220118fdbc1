import Seeds

/// What a server has besides its settings if it starts in place of Keycloak; nothing of it for `virga serve`.
struct KeycloakStart: Sendable {
    /// The realms that are imported, and the administrator.
    var seeds: [SeedFile] = []
    /// The port of Keycloak's health paths; `nil` for none.
    var healthPort: Int?
    /// Returns the lines of Keycloak's log for which container modules wait.
    var notice: (@Sendable () -> String)?
}
