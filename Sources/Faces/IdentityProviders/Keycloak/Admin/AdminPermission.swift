import Directory
import WireFormats

/// What a call of the Admin API needs: one of several roles of the client `realm-management`, unless the caller administers all realms.
/// (Keycloak, "Server Administration Guide", "Controlling access to the Admin Console".)
enum AdminPermission: Sendable {
    case viewUsers, manageUsers, viewClients, manageClients, viewRealm, manageRealm, viewEvents
    /// Only administrators of all realms.
    case allRealms

    /// The roles of which one suffices.
    var roles: [KeycloakRoleName] {
        names.map { KeycloakRoleName(client: KeycloakRealm.managementClient, $0) }
    }

    private var names: [String] {
        switch self {
        case .viewUsers: ["view-users", "manage-users"]
        case .manageUsers: ["manage-users"]
        case .viewClients: ["view-clients", "manage-clients"]
        case .manageClients: ["manage-clients"]
        case .viewRealm: ["view-realm", "manage-realm", "view-users", "manage-users"]
        case .manageRealm: ["manage-realm"]
        case .viewEvents: ["view-events", "manage-events"]
        case .allRealms: []
        }
    }
}
