import Fixtures
import Testing
import WireFormats

@testable import Directory
@testable import Seeds

@Suite("Records of seeds")
struct SeedRoundTripTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")

    @Test(
        "that are shipped are the same after they are read, written and read again",
        arguments: [
            "alibaba", "cognito", "credentials", "keycloak", "mobile-cloud", "personal-file-store", "user-pools", "vending-machine",
        ])
    func roundTrip(name: String) throws {
        let seed = try SeedFile(path: "\(Self.root)/seed/\(name).json5").decode()
        let written = try Seed.record.json(of: seed)
        #expect(!written.isEmpty)
        let again = try SeedFile(name: name, text: JSONValue.object(written).serializedBytes()).decode()
        #expect(try Seed.record.json(of: again) == written)
    }

    @Test("keep the kind of an issuer that has the name of a social provider")
    func issuerNamedGitHub() throws {
        let seed = try decodeSeed("{identityProviders: [{name: 'github', kind: 'openIDConnect', issuer: 'https://github.example'}]}")
        #expect(seed.identityProviders.map(\.kind) == [.openIDConnect])
        let written = try Seed.record.json(of: seed)
        let again = try SeedFile(name: "again", text: JSONValue.object(written).serializedBytes()).decode()
        #expect(again.identityProviders.map(\.kind) == [.openIDConnect])
        let error = try #require(throws: SeedError.self) {
            try decodeSeed("{identityProviders: [{name: 'github', issuer: 'https://github.example'}]}")
        }
        #expect(error.place == "identityProviders[0].issuer")
    }

    /// The names of the fields that Seeds.md documents itself, by record.
    private static let documented: [(title: String, names: [String])] = [
        names(Seed.record), names(SeedAccount.record), names(User.record), names(Group.record), names(Role.record),
        names(ManagedPolicy.record), names(InstanceProfile.record), names(MultiFactorDevice.record), names(OpenIDConnectTrust.record),
        names(ContextProvider.record), names(SAMLTrust.record), names(SeedBucket.record), names(SeedObject.record),
        names(IdentityProvider.record), names(Client.record), names(Person.record), names(ComputeInstance.record),
        names(ContainerTask.record), names(KubernetesCluster.record), names(WorkflowJob.record),
    ]

    private static func names<Record>(_ record: SeedRecord<Record>) -> (title: String, names: [String]) {
        (record.title, record.fields.map(\.name))
    }

    @Test("have all their keys in the tables of the page")
    func page() throws {
        let path = "\(Self.root)/Sources/Documentation/Seeds.md"
        let page = String(decoding: try SeedFile(path: path).text, as: UTF8.self)
        for (title, names) in Self.documented {
            for name in names { #expect(page.contains("`\(name)"), "\(title): \(name)") }
        }
    }

    @Test("write no field that has its default, and every field that is required")
    func defaults() throws {
        let user = User(account: "000000000000", name: "ann", path: "/", id: "AIDA", accessKeys: [AccessKey(id: "k", secret: "s")])
        #expect(try User.record.json(of: user) == ["name": "ann", "accessKeys": [["id": "k", "secret": "s"]]])
        #expect(
            try Client.record.json(of: Client(id: "web", secret: nil, name: "web", redirectURIs: [], applicationID: nil)) == ["id": "web"])
    }

    @Test("keep what a Keycloak realm reads")
    func realm() throws {
        let text = """
            {identityProviders: [{name: "r", issuer: "https://kc.example/realms/r", registrationAllowed: true, revokeRefreshToken: false,
              clients: [{id: "app", consentRequired: true, webOrigins: ["+", "https://app.example"]}],
              people: [{name: "ann", subject: "1", password: "p", enabled: false}]}]}
            """
        let seed = try SeedFile(name: "test", text: Array(text.utf8)).decode()
        let written = try Seed.record.json(of: seed)
        let again = try SeedFile(name: "again", text: JSONValue.object(written).serializedBytes()).decode()
        let provider = try #require(again.identityProviders.first)
        #expect(provider.allowsRegistration == true)
        #expect(provider.revokesRefreshTokens == false)
        #expect(provider.client("app")?.requiresConsent == true)
        #expect(provider.client("app")?.webOrigins == ["+", "https://app.example"])
        #expect(provider.person(named: "ann")?.isDisabled == true)
    }

    @Test("that are read alone report the place of the fault in them")
    func part() throws {
        let error = try #require(throws: SeedError.self) { try Person.record.read(Array("{name: 'a', subject: 's', pasword: 'p'}".utf8)) }
        #expect(error.place == "pasword")
        #expect(error.expected == "one of the keys name, subject, password, passwordHash, claims, enabled, facebook, keycloak")
    }
}
