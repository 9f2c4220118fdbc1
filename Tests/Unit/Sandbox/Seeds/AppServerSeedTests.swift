import Fixtures
import Testing

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("The app server in seeds")
struct AppServerSeedTests {
    private static let role = "acs:ram::1234567890123456:role/app-user"
    private static let needed = "accessKey: 'LTAISERVER', role: '\(role)'"

    private func seed(_ server: String, file: String = "s") throws -> Seed {
        let text = """
            {alibaba: {
               accounts: [{id: "1234567890123456", rootKeys: [{id: "LTAIROOT", secret: "r"}],
                 users: [{name: "server", accessKeys: [{id: "LTAISERVER", secret: "s"}]}],
                 roles: [{name: "app-user", trustPolicy: {Version: "1", Statement: [
                   {Effect: "Allow", Action: "sts:AssumeRole", Principal: {RAM: ["acs:ram::1234567890123456:root"]}}]}}]}],
               appServer: {\(server)}},
             identityProviders: [{name: "company", issuer: "https://c.example", clients: [{id: "web"}]}]}
            """
        return try SeedFile(name: file, text: Array(text.utf8)).decode()
    }

    @Test("is parsed, and kept across a restart")
    func reads() async throws {
        let decoded = try seed(
            """
            \(Self.needed), durationSeconds: 1, openTo: "guest", instanceRole: "app-user", signingKey: {id: "k", secret: "s"},
            policy: {Version: "1", Statement: [{Effect: "Allow", Action: "oss:*", Resource: "acs:oss:*:*:box/${user}/*"}]},
            people: [{name: "alice", password: "p"}], issuers: [{provider: "company", audience: "web"}],
            """)
        try await withTemporaryFolder { folder async throws in
            let first = try await Cloud.open(folder: folder, seeds: [decoded])
            let server = try #require(first.directory.appServer)
            await first.close()
            #expect(server.duration == 1)
            #expect(server.instanceRole == Self.role)
            #expect(server.signingKey == .init(id: "k", secret: "s"))
            #expect(server.distribution?.policy(for: "bob")?.contains("box/bob/*") == true)
            #expect(server.distribution?.openTo == "guest")
            #expect(server.distribution?.people.map(\.name) == ["alice"])
            let second = try await Cloud.open(folder: folder, seeds: [])
            #expect(second.directory.appServer == server)
            try await second.edit { $0.remove(.init(.appServer, "server")) }
            #expect(second.directory.appServer == nil)
            await second.close()
        }
    }

    @Test("requires few members")
    func defaults() throws {
        let decoded = try seed(Self.needed)
        let server = try #require(decoded.alibaba?.appServer)
        #expect(server.duration == 3600)
        #expect(server.distribution?.policy(for: "x") == nil)
        #expect(server.instanceRole == nil)
        #expect(try seed("instanceRole: '\(Self.role)'").alibaba?.appServer?.distribution == nil)
    }

    @Test(
        "that is invalid has an error with the place",
        arguments: [
            ("", "alibaba.appServer"), ("durationSeconds: 1", "alibaba.appServer"), ("people: []", "alibaba.appServer.accessKey"),
            ("accessKey: 'LTAISERVER'", "alibaba.appServer.role"),
            ("accessKey: 'k', role: 'arn:aws:iam::000000000000:role/x'", "alibaba.appServer.role"),
            ("accessKey: 'k', role: 'acs:ram::1234567890123456:user/x'", "alibaba.appServer.role"),
            ("\(needed), durationSeconds: 0", "alibaba.appServer.durationSeconds"), ("\(needed), openTo: '*'", "alibaba.appServer.openTo"),
            ("\(needed), people: [{name: 'a/b', password: 'p'}]", "alibaba.appServer.people[0].name"),
            ("\(needed), people: [{name: 'abc', password: ''}]", "alibaba.appServer.people[0].password"),
            ("\(needed), people: [{name: 'abc', password: 'p'}, {name: 'abc', password: 'q'}]", "alibaba.appServer.people[1].name"),
            ("\(needed), policy: {Version: '2012-10-17', Statement: []}", "alibaba.appServer.policy"),
            ("instanceRole: 'app-user'", "alibaba.appServer.instanceRole"), ("\(needed), secret: 1", "alibaba.appServer.secret"),
        ])
    func wrong(server: String, place: String) throws {
        let error = #expect(throws: SeedError.self) { try seed(server) }
        #expect(error?.place == place, "\(String(describing: error))")
        #expect(error?.file == "s", "\(String(describing: error))")
    }

    @Test(
        "must refer to existing names",
        arguments: [
            ("accessKey: 'LTAIROOT', role: '\(role)'", "accessKey"),
            ("accessKey: 'LTAISERVER', role: 'acs:ram::1234567890123456:role/none'", "role"),
            ("\(needed), issuers: [{provider: 'none', audience: 'web'}]", "issuers[0].provider"),
            ("\(needed), issuers: [{provider: 'company', audience: 'none'}]", "issuers[0].audience"),
            ("\(needed), instanceRole: 'none'", "instanceRole"),
            ("\(needed), people: [{name: 'alice', password: 'p'}], openTo: 'alice'", "openTo"),
            ("\(needed), durationSeconds: 3601", "durationSeconds"),
            ("instanceRole: '\(role)', durationSeconds: 7200", "durationSeconds"),
        ])
    func references(server: String, member: String) throws {
        let decoded = try seed(server)
        let error = #expect(throws: SeedError.self) { try Seed.checkTogether([decoded]) }
        #expect(error?.place == "alibaba.appServer.\(member)")
        let again = try SeedFile(name: "t", text: Array("{alibaba: {appServer: {signingKey: {id: 'a', secret: 'b'}}}}".utf8)).decode()
        let twice = #expect(throws: SeedError.self) { try Seed.checkTogether([seed(Self.needed), again]) }
        #expect(twice?.file == "t")
        #expect(twice?.place == "alibaba.appServer")
    }
}
