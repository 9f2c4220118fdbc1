/// What a listener serves.
enum ListenerPurpose {
    /// Every face.
    case everything
    /// The web console and the control API.
    case console
    /// Keycloak's health paths.
    case health
}
