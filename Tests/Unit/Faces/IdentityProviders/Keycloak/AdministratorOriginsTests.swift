import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Pages and the tokens of administrators")
struct AdministratorOriginsTests {
    private static let page: HTTPFields = [.origin: "https://evil.example"]
    private static let admin: FormFields = ["client_id": "admin-cli", "grant_type": "password", "username": "admin"]
    private static let portal: FormFields = ["client_id": "portal", "client_secret": "portal-secret"]

    @Test(
        "no page may read a response to a login in the realm master",
        arguments: [("/idp/", "master/token"), ("/realms/", "master/protocol/openid-connect/token")])
    func master(base: String, path: String) async throws {
        let visitor = Visitor(try await Administrator.sandbox(), base: base)
        for (password, status) in [("admin-password", 200), ("wrong", base == "/idp/" ? 400 : 401)] {
            let form = Self.admin.with(["password": password])
            let answer = try await visitor.post(path, form, headers: Self.page)
            #expect(answer.status == status)
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
            #expect(answer.headers[.accessControlAllowCredentials] == nil)
            #expect(answer.headers[.vary] == "Origin")
            #expect(try await visitor.post(path, form).headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test("only pages of the client may read a refreshed token of an administrator")
    func refreshed() async throws {
        let cloud = try await Administrator.sandbox()
        try await cloud.edit { directory in
            guard var client = directory.providers["master"]?.client("admin-cli") else { return }
            client.webOrigins = ["https://admin.example"]
            directory.put(client, at: "master")
        }
        let visitor = Visitor(cloud)
        let form = Self.admin.with(["password": "admin-password", "scope": "openid offline_access"])
        let first = try await visitor.post("master/token", form, headers: [.origin: "https://admin.example"])
        #expect(first.headers[.accessControlAllowOrigin] == "https://admin.example")
        let refresh: FormFields = ["client_id": "admin-cli", "grant_type": "refresh_token", "refresh_token": first.refreshToken]
        let second = try await visitor.post("master/token", refresh, headers: Self.page)
        #expect(second.status == 200)
        #expect(second.headers[.accessControlAllowOrigin] == nil)
    }

    /// A sandbox in which dora and the client `portal` may read the users of the realm `works`.
    private func works() async throws -> Visitor {
        let cloud = try await Administrator.sandbox()
        try await cloud.edit { directory in
            let role = KeycloakRoleName(client: KeycloakRealm.managementClient, "view-users")
            guard var client = directory.providers["works"]?.client("portal"),
                var dora = directory.providers["works"]?.person(named: "dora")
            else { return }
            var settings = client.keycloak ?? KeycloakClient()
            var own = settings.serviceAccount ?? KeycloakAccount()
            own.roles.append(role)
            settings.serviceAccount = own
            client.keycloak = settings
            client.furtherGrants = FurtherGrant.allCases
            client.metadata.grantTypes = nil
            client.redirectURIs = ["https://portal.example/callback"]
            directory.put(client, at: "works")
            var account = dora.keycloak ?? KeycloakAccount()
            account.roles.append(role)
            dora.keycloak = account
            directory.put(dora, at: "works")
        }
        return Visitor(cloud)
    }

    @Test(
        "the tokens of those who administer a realm are for pages of the client at the issuer's own paths, too",
        arguments: [
            (["grant_type": "password", "username": "dora", "password": "dora-password"], true),
            (["grant_type": "password", "username": "dora", "password": "wrong"], true), (["grant_type": "client_credentials"], true),
            (["grant_type": "password", "username": "emil", "password": "emil-password"], false),
        ] as [(FormFields, Bool)])
    func ofRealm(grant: FormFields, isOfAdministrator: Bool) async throws {
        let visitor = try await works()
        let form = Self.portal.with(grant)
        let foreign = try await visitor.post("works/token", form, headers: Self.page)
        #expect(foreign.headers[.accessControlAllowOrigin] == (isOfAdministrator ? nil : "*"))
        let own = try await visitor.post("works/token", form, headers: [.origin: "https://portal.example"])
        #expect(own.headers[.accessControlAllowOrigin] == (isOfAdministrator ? "https://portal.example" : "*"))
    }

    @Test("an exchanged token of an administrator is for pages of the client")
    func exchanged() async throws {
        let visitor = try await works()
        let first = try await visitor.post(
            "works/token", Self.portal.with(["grant_type": "password", "username": "dora", "password": "dora-password"]))
        let exchange: FormFields = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": first.accessToken,
            "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
        ]
        let answer = try await visitor.post("works/token", Self.portal.with(exchange), headers: Self.page)
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.headers[.accessControlAllowOrigin] == nil)
    }

    @Test("the claim allowed-origins has the origins of the redirect URIs for +")
    func allowedOrigins() async throws {
        let realm = try await Realm { provider in
            var settings = provider.clients[0].keycloak ?? KeycloakClient()
            settings.settings["webOrigins"] = ["+", "https://app.example"]
            settings.mappers = [KeycloakMapper(id: "m", name: "origins", kind: .allowedOrigins, config: [:])]
            provider.clients[0].keycloak = settings
            provider.clients[0].redirectURIs = ["http://localhost:8765/callback", "http://localhost:8765/*", "https://app.example/cb"]
        }
        let answer = try await realm.token(Realm.person)
        let claims = try JSONWebToken(parsing: answer.accessToken).claims
        #expect(claims["allowed-origins"] == ["http://localhost:8765", "https://app.example"])
    }
}
