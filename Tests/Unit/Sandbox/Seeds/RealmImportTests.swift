import Directory
import Testing
import WireFormats

@testable import Seeds

@Suite("Seeds of Keycloak realms")
struct RealmImportTests {
    private static let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/EndToEnd/oidc/realms"

    private func file(_ name: String) throws -> SeedFile { try SeedFile(path: "\(Self.folder)/\(name).json") }

    private func realm(_ name: String) throws -> IdentityProvider {
        try #require(try file(name).decode().identityProviders.first)
    }

    @Test("are read in place of a seed", arguments: ["shop", "works"])
    func recognized(name: String) throws {
        let seeds = try SeedFile.decode([try file(name)])
        #expect(seeds.first?.identityProviders.map(\.name) == [name])
        // What is written is the same seed.
        let imported = try RealmImport(JSONValue(parsing: try file(name).text))
        let again = try SeedFile(name: name, text: imported.seed.serializedBytes()).decode()
        #expect(try Seed.record.json(of: again) == Seed.record.json(of: try #require(seeds.first)))
    }

    @Test("have people with the passwords or the hashes of the realm")
    func passwords() throws {
        let carol = try #require(try realm("shop").person(named: "carol"))
        #expect(carol.hasPassword("carol-password"))
        let works = try realm("works")
        for (name, password) in [("dora", "dora-password"), ("emil", "emil-password")] {
            let person = try #require(works.person(named: name))
            #expect(person.password.isEmpty)
            #expect(person.hasPassword(password))
            #expect(!person.hasPassword("x" + password))
        }
        let fritz = try #require(works.person(named: "fritz"))
        #expect(!fritz.hasPassword(""))
        #expect(!fritz.isEnabled)
    }

    @Test("have the claims, attributes, groups and roles of people")
    func accounts() throws {
        let works = try realm("works")
        let dora = try #require(works.person(named: "dora"))
        #expect(dora.subject == "c0ffee00-0000-4000-8000-000000000004")
        #expect(dora.claims["name"] == "Dora Weld")
        #expect(dora.claims["locale"] == "de")
        #expect(dora.claims["email_verified"] == true)
        #expect(dora.keycloak?.groups == ["/floor/leads"])
        #expect(dora.keycloak?.attribute("department") == ["steel"])
        // Of everyone, of the group, of the group above it, and of composite roles.
        let roles = works.effectiveRoles(of: dora.keycloak)
        for name in ["default-roles-works", "employee", "offline_access", "welder", "foreman"] {
            #expect(roles.contains(KeycloakRoleName(name)))
        }
        #expect(roles.contains(KeycloakRoleName(client: "orders-api", "write")))
        #expect(works.person(named: "emil")?.keycloak?.requiredActions == ["UPDATE_PASSWORD"])
    }

    @Test("have the grants, URIs, mappers and service accounts of clients")
    func clients() throws {
        let works = try realm("works")
        let portal = try #require(works.client("portal"))
        #expect(portal.secret == "portal-secret")
        #expect(portal.redirectURIs == ["http://localhost:9/callback"])
        #expect(portal.metadata.postLogoutRedirectURIs == ["http://localhost:9/callback", "http://localhost:9/bye"])
        #expect(portal.mayUse(.password))
        #expect(!portal.mayUse(.clientCredentials))
        #expect(portal.keycloak?.mappers.map(\.name) == ["orders audience", "groups", "flat roles", "tenant", "department", "site"])
        #expect(portal.keycloak?.mappers.last?.scope == "sites")
        #expect(portal.metadata.scope == "openid profile email offline_access department sites")
        let robot = try #require(works.client("robot"))
        #expect(robot.mayUse(.clientCredentials))
        #expect(!robot.mayUse(.authorizationCode))
        #expect(robot.keycloak?.serviceAccount?.roles.contains(KeycloakRoleName(client: "realm-management", "manage-users")) == true)
        #expect(works.client("https://sp.example/metadata") == nil)
        #expect(try realm("shop").client("storefront")?.isPublic == true)
    }

    @Test("name everything that they do not contain")
    func leftOut() throws {
        let imported = try RealmImport(JSONValue(parsing: try file("works").text))
        for part in [
            "user emil: role ghost", "user fritz: the password, since its hash is argon2",
            "user fritz: the link to identity provider google",
            "mapper 'script' of type oidc-script-based-protocol-mapper", "client robot: its secret, which is masked",
            "client https://sp.example/metadata: the whole client", "authentication flow step-up", "UserStorageProvider: ldap",
            "settings of the realm: ssoSessionMaxLifespan, smtpServer",
        ] {
            #expect(imported.leftOut.contains { $0.hasPrefix(part) || $0.contains(part) }, "\(part)")
        }
        #expect(imported.leftOut.contains("identity provider google"))
        #expect(try RealmImport(JSONValue(parsing: try file("shop").text)).leftOut.isEmpty)
    }

    @Test(
        "are not made of other documents",
        arguments: [
            ("{}", "expected an object with the name of a realm"), (#"{"realm": "a b"}"#, "realm: expected a name of letters"),
            (#"{"realm": "${REALM}"}"#, "realm: expected a name, not '${REALM}'"),
            (#"{"realm": "google"}"#, "realm: expected another name than 'google'"),
        ])
    func faults(text: String, message: String) throws {
        let error = try #require(throws: RealmImport.Fault.self) { try RealmImport(JSONValue(parsing: text)) }
        #expect(error.description.hasPrefix(message))
    }

    @Test("make no realm of a seed, and report the member of a realm that is wrong")
    func seeds() throws {
        #expect(!RealmImport.isRealm(["identityProviders": []]))
        #expect(!RealmImport.isRealm(["realm": "shop", "accounts": []]))
        #expect(RealmImport.isRealm([["realm": "one"], ["realm": "two"]]))
        let error = try #require(throws: SeedError.self) { try SeedFile(name: "r", text: Array(#"{"realm": "a b"}"#.utf8)).decode() }
        #expect(error.place == "realm")
    }
}

@Suite("Keys of seeds for Keycloak realms")
struct KeycloakSeedTests {
    private func decode(_ provider: String) throws -> Seed {
        let text = "{identityProviders: [{name: 'shop', issuer: 'https://shop.example', \(provider)}]}"
        return try SeedFile(name: "test", text: Array(text.utf8)).decode()
    }

    @Test(
        "refer to roles and groups that exist",
        arguments: [
            "people: [{name: 'a', subject: 'a', keycloak: {realmRoles: ['buyer']}}]",
            "people: [{name: 'a', subject: 'a', keycloak: {groups: ['/staff']}}]",
            "keycloak: {groups: [{path: '/staff', realmRoles: ['buyer']}]}", "keycloak: {groups: [{path: '/staff/leads'}]}",
            "keycloak: {groups: [{path: '/staff'}, {path: '/staff'}]}", "keycloak: {roles: [{name: 'buyer'}, {name: 'buyer'}]}",
            "keycloak: {roles: [{name: 'buyer', clientRoles: {web: ['x']}}]}", "keycloak: {groups: [{path: 'staff'}]}",
        ])
    func references(provider: String) {
        #expect(throws: SeedError.self) { try decode(provider) }
    }

    @Test("need a password, its hash or an account of a realm, and not two of the first")
    func passwords() throws {
        #expect(throws: SeedError.self) { try decode("people: [{name: 'a', subject: 'a'}]") }
        let hash = "passwordHash: {algorithm: 'pbkdf2-sha256', iterations: 1, salt: 'AAAA', value: 'AAAA'}"
        #expect(throws: SeedError.self) { try decode("people: [{name: 'a', subject: 'a', password: 'p', \(hash)}]") }
        #expect(throws: SeedError.self) {
            try decode("people: [{name: 'a', subject: 'a', \(hash.replacing("pbkdf2-sha256", with: "argon2"))}]")
        }
        for person in [hash, "keycloak: {}", "password: 'p'"] {
            #expect(try decode("people: [{name: 'a', subject: 'a', \(person)}]").identityProviders.first?.people.count == 1)
        }
    }

    @Test("make the realm master with an administrator")
    func admin() throws {
        let text = "{keycloakAdmin: {username: 'admin', password: 'secret'}}"
        let seed = try SeedFile(name: "test", text: Array(text.utf8)).decode()
        let directory = Seed.records(of: [seed], created: Timestamp(seconds: 0)).reduce(into: Directory()) { $0.insert($1) }
        let master = try #require(directory.providers["master"])
        let admin = try #require(master.person(named: "admin"))
        #expect(admin.hasPassword("secret"))
        #expect(master.effectiveRoles(of: admin.keycloak).contains(KeycloakRealm.adminRole))
        #expect(master.client("admin-cli")?.mayUse(.password) == true)
        // The same realm cannot be declared twice.
        let twice = "{keycloakAdmin: {username: 'a', password: 'b'}, identityProviders: [{name: 'master', issuer: 'https://m.example'}]}"
        #expect(throws: SeedError.self) { try SeedFile(name: "test", text: Array(twice.utf8)).decode() }
    }
}
