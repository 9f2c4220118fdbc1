import Fixtures
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import Seeds

@Suite("Identity pools in seeds")
struct IdentityPoolSeedTests {
    private static let id = "us-east-1:00000000-0000-4000-8000-000000000001"

    private func seed(_ pool: String) throws -> Seed {
        try SeedFile(name: "s", text: Array("{accounts: [{id: '111122223333', identityPools: [\(pool)]}]}".utf8)).decode()
    }

    @Test("are parsed, kept across a restart with their identities, and exported without them")
    func reads() async throws {
        let decoded = try seed(
            """
            {id: '\(Self.id)', name: 'shop', allowGuests: true, allowClassicFlow: false, developerProvider: 'login.shop',
             socialLogins: {'graph.facebook.com': '1234'}, guestRole: 'arn:aws:iam::111122223333:role/guest',
             userPools: [{provider: 'cognito-idp.us-east-1.amazonaws.com/us-east-1_abcdefghi', clientID: 'c', serverSideTokenCheck: true}],
             roleMappings: [{provider: 'graph.facebook.com', type: 'Rules',
               rules: [{claim: 'sub', value: '1', role: 'arn:aws:iam::111122223333:role/one'}]}],
             principalTags: [{provider: 'graph.facebook.com', useDefaults: true}], tags: {stage: 'test'}}
            """)
        try await withTemporaryFolder { folder async throws in
            let first = try await Cloud.open(folder: folder, seeds: [decoded])
            let pool = try #require(first.directory.identityPools.pool(Self.id))
            let login = PoolIdentity.Login(provider: "graph.facebook.com", subject: "1")
            let now = first.clock.now
            _ = try await first.edit { directory in
                try directory.identity(of: [login], in: pool, newID: "us-east-1:1", now: now)
            }
            await first.close()
            let second = try await Cloud.open(folder: folder, seeds: [])
            let known = try #require(second.directory.identityPools.pool(Self.id))
            #expect(known.account == "111122223333")
            #expect(known.application(of: "graph.facebook.com") == "1234")
            #expect(known.allowsClassicFlow == false)
            #expect(known.userPools.first?.checksTokens == true)
            #expect(known.roleMappings.first?.resolution == .deny)
            #expect(known.roleMappings.first?.rules.first?.comparison == .equals)
            #expect(known.tagMaps.first?.claims.count == 2)
            #expect(second.directory.identityPools.identity(of: login, in: Self.id)?.id == "us-east-1:1")
            let export = try await SeedExport(of: second)
            #expect(export.leftOut.contains("identity pool \(Self.id): its identities"))
            let again = try SeedFile(name: "e", text: export.seed.serializedBytes()).decode()
            #expect(again.accounts.first?.identityPools.first?.developerProvider == "login.shop")
            #expect(again.accounts.first?.identityPools.first?.roleMappings.count == 1)
            await second.close()
        }
    }

    @Test(
        "that are invalid are refused",
        arguments: [
            "{id: 'x', name: 'shop'}", "{id: '\(id)'}", "{id: '\(id)', name: 'shop', guestRole: 'guest'}",
            "{id: '\(id)', name: 'shop', roleMappings: [{provider: 'p', type: 'Rules'}]}",
            "{id: '\(id)', name: 'shop', developerProvider: 'cognito-identity.amazonaws.com'}",
        ])
    func refuses(pool: String) {
        #expect(throws: (any Error).self) { try seed(pool) }
    }
}
