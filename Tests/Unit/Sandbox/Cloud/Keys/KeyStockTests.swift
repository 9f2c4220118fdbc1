import Fixtures
import Testing
import Tokens
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("The keys that were made ahead")
struct KeyStockTests {
    private static let seed = """
        {identityProviders: [{name: "company", issuer: "https://login.example", clients: [{id: "web"}]},
          {name: "other", issuer: "https://other.example", signingAlgorithm: "ES256", clients: [{id: "web"}]}]}
        """

    /// Runs a test with sandboxes that have one stock, and closes them.
    private func withSandboxes(
        _ count: Int, of stock: KeyStock, _ template: TemplateKeys? = nil, _ test: ([Cloud]) async throws -> Void
    ) async throws {
        var clouds: [Cloud] = []
        for _ in 0..<count {
            var options = Cloud.Options(seeds: [try decodeSeed(Self.seed)])
            options.keySupply = KeySupply(stock: stock, template: template)
            clouds.append(try await Cloud.open(try Database(), options))
        }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await test(clouds)) } catch { outcome = .failure(error) }
        for cloud in clouds { await cloud.close() }
        await stock.close()
        try outcome.get()
    }

    private func thumbprint(_ key: SigningKey) throws -> String { try JSONWebKey(key.verificationKey).thumbprint }

    @Test("are not made before one is needed")
    func none() async throws {
        let stock = KeyStock()
        try await withSandboxes(1, of: stock) { clouds in
            _ = try await clouds[0].signingKey(for: "other", algorithm: .es256)
            await stock.settle()
            #expect(stock.counts == KeyStock.Counts())
            #expect(!stock.isPrepared)
        }
    }

    @Test("are those of a template for all its sandboxes, so that none of them waits")
    func template() async throws {
        let (stock, template) = (KeyStock(initialSize: 1, fullSize: 1), TemplateKeys())
        try await withSandboxes(8, of: stock, template) { clouds in
            #expect(clouds[0].directory.usualKeys == [TemplateKeys.Name("company", .rs256)])
            stock.prepare(template, clouds[0].directory.usualKeys)
            await stock.settle()
            let keys = try await withThrowingTaskGroup(of: SigningKey.self) { group in
                for cloud in clouds { group.addTask { try await cloud.signingKey(for: "company") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(stock.counts.waitedFor == 0)
            #expect(Set(try keys.map(thumbprint)).count == 1)
            #expect(Set(keys.map(\.keyID)).count == 8)
            for (index, cloud) in clouds.enumerated() {
                let own = try await cloud.signingKey(for: "company").keyID
                for (other, sibling) in clouds.enumerated() {
                    #expect((try await sibling.verificationKey(own, of: "company") != nil) == (index == other))
                }
            }
        }
    }

    @Test("are made once for a template, also when its sandboxes need them at the same time before they were made ahead")
    func together() async throws {
        let stock = KeyStock(fullSize: 0)
        try await withSandboxes(8, of: stock, TemplateKeys()) { clouds in
            let prints = try await withThrowingTaskGroup(of: SigningKey.self) { group in
                for cloud in clouds { group.addTask { try await cloud.signingKey(for: "company") } }
                return try await group.reduce(into: Set()) { $0.insert(try thumbprint($1)) }
            }
            #expect(prints.count == 1)
            #expect(stock.counts == KeyStock.Counts(waitedFor: 1, ahead: 0))
        }
    }

    @Test("of a template are replaced by a key of the sandbox's own when it rotates them")
    func rotation() async throws {
        let stock = KeyStock(fullSize: 0)
        try await withSandboxes(3, of: stock, TemplateKeys()) { clouds in
            let before = try await clouds[0].signingKey(for: "company")
            let after = try #require(try await clouds[0].rotateKeys(of: "company", overlap: .zero).first).key
            #expect(try thumbprint(after) != thumbprint(before))
            #expect(try await thumbprint(clouds[1].signingKey(for: "company")) == thumbprint(before))
            let other = try #require(try await clouds[1].rotateKeys(of: "company", overlap: .zero).first).key
            #expect(try thumbprint(other) != thumbprint(after))
            // Those that are published before their use are not shared, either.
            let next = try await clouds[2].publishNextKeys(of: "company").map { try thumbprint($0.key) }
            #expect(next.first == (try thumbprint(before)))
            #expect(Set(next + [try thumbprint(after), try thumbprint(other)]).count == 4)
        }
    }

    @Test("are given once each to sandboxes without a template")
    func own() async throws {
        let stock = KeyStock(initialSize: 2, fullSize: 2)
        try await withSandboxes(2, of: stock) { clouds in
            stock.prepare()
            await stock.settle()
            #expect(stock.counts.ahead == 2)
            var prints: Set<String> = []
            for cloud in clouds { prints.insert(try thumbprint(await cloud.signingKey(for: "company"))) }
            #expect(prints.count == 2)
            #expect(stock.counts.waitedFor == 0)
            await stock.settle()
            // It was filled again.
            #expect(stock.counts.ahead == 4)
        }
    }

    @Test("are kept by a reset, as others are")
    func reset() async throws {
        let stock = KeyStock(fullSize: 0)
        try await withSandboxes(1, of: stock, TemplateKeys()) { clouds in
            let before = try await clouds[0].signingKey(for: "company")
            try await clouds[0].reset()
            let after = try await clouds[0].signingKey(for: "company")
            #expect(try thumbprint(after) == thumbprint(before))
            #expect(after.keyID != before.keyID)
            #expect(try await clouds[0].verificationKey(before.keyID, of: "company") == nil)
            #expect(stock.counts.waitedFor == 1)
        }
    }

    @Test("are no longer made once the stock is closed")
    func closed() async throws {
        let stock = KeyStock()
        stock.prepare()
        await stock.close()
        let ahead = stock.counts.ahead
        stock.fill()
        await stock.settle()
        #expect(stock.counts.ahead == ahead)
        _ = try await stock.take()
        #expect(stock.counts.waitedFor == 1)
    }
}
