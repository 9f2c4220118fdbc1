import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The caller of the Admin API, known from an access token.
struct AdminCaller {
    /// The name in the journal.
    let name: String
    /// Whether the caller administers all realms.
    private let isOfMaster: Bool
    /// The realm of the call.
    private let realm: String
    /// The caller's roles in the realm of the call.
    private let roles: [KeycloakRoleName]

    /// Verifies the token of a call. It can be one of any realm; that of a realm other than `master` permits nothing in others.
    init(of call: Call, realm: String) async throws {
        guard let header = call.headers.value(of: .authorization), header.lowercased().hasPrefix("bearer ") else {
            throw AdminError.unauthorized
        }
        let token = String(header.dropFirst("bearer ".count))
        guard let (provider, verified) = try await Self.verified(token, at: realm, in: call.cloud),
            verified.person?.isEnabled != false, Self.isAdministrative(verified)
        else { throw AdminError.unauthorized }
        let account = verified.person.map(\.keycloak) ?? verified.client.keycloak?.serviceAccount
        let held = provider.effectiveRoles(of: account)
        name = verified.person?.name ?? "service-account-\(verified.client.id)"
        isOfMaster = provider.name == KeycloakRealm.masterName && held.contains(KeycloakRealm.adminRole)
        self.realm = realm
        roles = provider.name == realm ? held : []
        call.note(caller: name)
    }

    /// Returns the first realm that accepts a token, and the record of the token. The realm of the call and `master` are asked first.
    private static func verified(
        _ token: String, at realm: String, in cloud: Cloud
    ) async throws -> (provider: IdentityProvider, grant: VerifiedGrant)? {
        let providers = cloud.directory.providers
        for name in [realm, KeycloakRealm.masterName] + providers.keys {
            guard let provider = providers[name], !provider.kind.isSocial else { continue }
            if let grant = try await GrantVerifier(provider: provider, cloud: cloud).verified(token, kind: .accessToken) {
                return (provider, grant)
            }
        }
        return nil
    }

    /// Returns whether a token may be used here: it is not bound to a key, which would need a proof, and its client did not register itself
    /// without a token.
    private static func isAdministrative(_ verified: VerifiedGrant) -> Bool {
        verified.grant.details["jkt"] == nil && verified.client.isOpenlyRegistered != true
    }

    /// Returns whether the caller may give roles to others: those that administer only if they are the caller's own.
    /// - Parameter roles: the roles, and the ones that they include.
    func mayGive(_ roles: [KeycloakRoleName]) -> Bool {
        isOfMaster
            || roles.allSatisfy { role in
                let isOfManagement = role.client.map { TextKey($0) } == TextKey(KeycloakRealm.managementClient)
                let isOfAllRealms = realm == KeycloakRealm.masterName && role == KeycloakRealm.adminRole
                return !isOfManagement && !isOfAllRealms || self.roles.contains(role)
            }
    }

    /// Returns whether the caller has a permission.
    func may(_ permission: AdminPermission) -> Bool { isOfMaster || permission.roles.contains { roles.contains($0) } }
}
