package import Directory
import WireFormats

/// The administrator of all Keycloak realms, from whom the realm `master` is made.
package struct SeedKeycloakAdmin: Sendable {
    /// The user name.
    package var username: String
    /// The password.
    package var password: String

    /// The administrator in seeds.
    static let record = SeedRecord<SeedKeycloakAdmin>(
        "Administrator of Keycloak realms", blank: SeedKeycloakAdmin(username: "", password: ""),
        fields: [
            .required("username", \.username, Codec.nonempty("a user name"), "The user name, such as admin."),
            .required("password", \.password, Codec.nonempty("a password"), "The password."),
        ])

    /// The issuer of the realm `master`, which no client addresses.
    private static let issuer = "https://keycloak.localhost/realms/master"

    /// The realm `master` with the administrator, and the client `admin-cli` with which administration libraries log in.
    var realm: IdentityProvider {
        let name = KeycloakRealm.masterName
        var person = Person(
            name: username, subject: KeycloakIdentifier.derived(from: "user", name, username), password: password,
            claims: ["preferred_username": .string(username)])
        var account = KeycloakAccount()
        account.roles = [KeycloakRealm.adminRole]
        person.keycloak = account
        return IdentityProvider(
            name: name, kind: .openIDConnect, issuer: Self.issuer, clients: [Client.adminCommandLine], people: [person],
            tokenLifetime: IdentityProvider.Kind.openIDConnect.descriptor.tokenLifetime)
    }
}

extension Client {
    /// Keycloak's client `admin-cli`, which every realm has: public, and only for the password grant.
    package static let adminCommandLine: Client = {
        var client = Client(
            id: "admin-cli", secret: nil, name: "Admin CLI", redirectURIs: [], applicationID: nil, furtherGrants: [.password])
        client.metadata.grantTypes = [FurtherGrant.password.rawValue, UsualGrant.refreshToken.rawValue]
        return client
    }()
}
