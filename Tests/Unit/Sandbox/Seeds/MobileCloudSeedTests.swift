import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("The mobile cloud in seeds")
struct MobileCloudSeedTests {
    private func seed(_ mobile: String, file: String = "s") throws -> Seed {
        let text = """
            {accounts: [{id: "000000000000", buckets: [{name: "box"}]}],
             identityProviders: [{name: "plain", issuer: "https://plain.example"}, {name: "company", issuer: "https://c.example", saml: {}}],
             mobileCloud: {\(mobile)}}
            """
        return try SeedFile(name: file, text: Array(text.utf8)).decode()
    }

    private func further(_ mobile: String, file: String = "t") throws -> Seed {
        try SeedFile(name: file, text: Array("{mobileCloud: {\(mobile)}}".utf8)).decode()
    }

    @Test(
        "must have unique names",
        arguments: [
            (#"realms: [{name: "R"}, {name: "R"}]"#, "mobileCloud.realms[1].name"),
            (#"backends: [{name: "b"}, {name: "b"}]"#, "mobileCloud.backends[1].name"),
            (#"backends: [{name: "b", id: "AB"}, {name: "c", id: "ab"}]"#, "mobileCloud.backends[1].id"),
            (#"backends: [{name: "b", clientID: "x"}, {name: "c", clientID: "x"}]"#, "mobileCloud.backends[1].clientID"),
            (#"customAPIs: [{name: "a"}, {name: "a"}]"#, "mobileCloud.customAPIs[1].name"),
            (
                #"certificates: [{alias: "a", identityProvider: "plain"}, {alias: "a", identityProvider: "company"}]"#,
                "mobileCloud.certificates[1].alias"
            ),
            (
                #"samlIssuers: [{name: "i", certificateSubjectNames: ["CN=x"]}, {name: "i", certificateSubjectNames: ["CN=x"]}]"#,
                "mobileCloud.samlIssuers[1].name"
            ),
            (#"collections: [{id: "c", bucket: "box"}, {id: "c", bucket: "box"}]"#, "mobileCloud.collections[1].id"),
            (
                #"teamMembers: [{name: "t", password: "p"}, {name: "t", password: "q"}]"#, "mobileCloud.teamMembers[1].name"
            ),
            (#"teamMembers: [{name: "t:u", password: "p"}]"#, "mobileCloud.teamMembers[0].name"),
            (#"teamMembers: [{name: "t"}]"#, "mobileCloud.teamMembers[0].password"),
            (#"teamMembers: [{name: "t", password: "p", roles: ["DbMgmt"]}]"#, "mobileCloud.teamMembers[0].roles"),
        ])
    func duplicates(mobile: String, place: String) throws {
        let error = #expect(throws: SeedError.self) { try seed(mobile) }
        #expect(error?.place == place)
        #expect(error?.file == "s")
    }

    @Test(
        "must refer to existing names",
        arguments: [
            (#"backends: [{name: "b"}]"#, "mobileCloud.backends[0].realm"),
            (#"realms: [{name: "R", users: [{username: "u", roles: ["x"]}]}]"#, "mobileCloud.realms[0].users[0].roles[0]"),
            (#"realms: [{name: "R", users: [{username: "u"}, {username: "u"}]}]"#, "mobileCloud.realms[0].users[1].username"),
            (#"realms: [{name: "R", users: [{username: "u", id: "1"}, {username: "v", id: "1"}]}]"#, "mobileCloud.realms[0].users[1].id"),
            (
                #"realms: [{name: "R", users: [{username: "u", email: "A@x"}, {username: "v", email: "a@X"}]}]"#,
                "mobileCloud.realms[0].users[1].email"
            ),
            (#"realms: [{name: "R", signOn: {saml: {identityProvider: "plain"}}}]"#, "mobileCloud.realms[0].signOn.saml.identityProvider"),
            (
                #"realms: [{name: "Default"}], customAPIs: [{name: "a"}], backends: [{name: "b", apis: ["a", "a(1.0)", "a(2.0)"]}]"#,
                "mobileCloud.backends[0].apis[2]"
            ),
            (#"customAPIs: [{name: "a", roles: ["x"]}]"#, "mobileCloud.customAPIs[0].roles[0]"),
            (#"customAPIs: [{name: "a", endpoints: [{path: "/", roles: ["x"]}]}]"#, "mobileCloud.customAPIs[0].endpoints[0].roles[0]"),
            (#"certificates: [{alias: "a", identityProvider: "none"}]"#, "mobileCloud.certificates[0].identityProvider"),
            (
                #"samlIssuers: [{name: "i", certificateSubjectNames: ["CN=x"], defaultRoles: ["x"]}]"#,
                "mobileCloud.samlIssuers[0].defaultRoles[0]"
            ),
            (
                #"roles: ["y"], samlIssuers: [{name: "i", certificateSubjectNames: ["CN=x"], roleMappings: [{tokenRole: "t", mappedRoles: ["y", "x"]}]}]"#,
                "mobileCloud.samlIssuers[0].roleMappings[0].mappedRoles[1]"
            ),
            (#"collections: [{id: "c", bucket: "none"}]"#, "mobileCloud.collections[0].bucket"),
            (#"collections: [{id: "c", bucket: "box", permissions: {READ: ["x"]}}]"#, "mobileCloud.collections[0].permissions.READ[0]"),
            (#"locations: {places: [{id: 1}, {id: 1}]}"#, "mobileCloud.locations.places[1].id"),
        ])
    func references(mobile: String, place: String) throws {
        let decoded = try seed(mobile)
        let error = #expect(throws: SeedError.self) { try Seed.checkTogether([decoded]) }
        #expect(error?.place == place)
        #expect(error?.file == "s")
    }

    @Test("is combined from all seeds: a later one can use an earlier one's names, and overrides its policies")
    func together() async throws {
        let first = try seed(
            #"roles: ["a"], realms: [{name: "Default"}], policies: {P: "1", Q: "1"}, collections: [{id: "c", bucket: "box"}]"#)
        let second = try further(
            #"roles: ["b", "a"], backends: [{name: "app"}], policies: {Q: "2"}, customAPIs: [{name: "x", roles: ["a", "b"]}], "#
                + #"collections: [{id: "d", bucket: "box"}], locations: {assets: [{id: 1}]}"#)
        let cloud = try await Cloud.open(folder: nil, seeds: [first, second])
        let environment = cloud.directory.mobile.environment
        #expect(environment.roles == ["a", "b"])
        #expect(environment.collections.map(\.id) == ["c", "d"])
        #expect(environment.locations.assets.count == 1)
        #expect(environment.policies["P"] == "1")
        #expect(environment.policies["Q"] == "2")
        await cloud.close()
        let again = try further(#"collections: [{id: "c", bucket: "box"}]"#)
        let error = #expect(throws: SeedError.self) { try Seed.checkTogether([first, again]) }
        #expect(error?.file == "t")
        #expect(error?.place == "mobileCloud.collections[0].id")
    }

    @Test("gives backends their keys: those of the seed, that of a configuration file, or constant ones")
    func keys() async throws {
        let decoded = try seed(
            #"realms: [{name: "Default"}], backends: [{name: "a"}, {name: "b", anonymousKey: "dTpwOnE=", id: "1", clientID: "c", clientSecret: "s"}]"#
        )
        let (a, b) = (try #require(decoded.mobileCloud?.backends.first), try #require(decoded.mobileCloud?.backends.last))
        #expect(b.anonymousUser == "u")
        #expect(b.anonymousPassword == "p:q")
        #expect(b.anonymousKey == "dTpwOnE=")
        #expect(b.clientSecret == "s")
        #expect(a.id == MobileIdentifier.of("backend a(1.0)"))
        #expect(a.allowsOAuth)
        #expect(a.allowsBasic)
    }

    @Test("creates random identifiers of RFC 9562, all different")
    func identifiers() throws {
        let random = try (0..<50).map { _ in try MobileIdentifier.random() }
        #expect(Set(random).count == 50)
        for text in random + [MobileIdentifier.of("x")] {
            let parts = text.split(separator: "-")
            try #require(parts.map(\.count) == [8, 4, 4, 4, 12])
            #expect("89ab".contains(parts[3].first ?? "x"))
        }
        #expect(random.allSatisfy { $0.split(separator: "-")[2].first == "4" })
    }
}
