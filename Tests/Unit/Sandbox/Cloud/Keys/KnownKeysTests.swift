import Fixtures
import Testing
import Tokens
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Keys that a sandbox ever had")
struct KnownKeysTests {
    private func thumbprint(_ key: SigningKey) throws -> String { try JSONWebKey(key.verificationKey).thumbprint }

    private func knows(_ thumbprint: String, _ cloud: Cloud) async throws -> Bool { try await cloud.hasKey(thumbprints: [thumbprint]) }

    /// The thumbprint of a key that no sandbox has.
    private func foreign() throws -> String { try thumbprint(SigningKey.generate(algorithm: .es256, created: .now())) }

    @Test("are known after they left, after a reset, in a copy and after a restart")
    func departed() async throws {
        let foreign = try foreign()
        try await withTemporaryFolder { folder in
            let first = try await withSandbox(folder: folder + "/origin", keys: nil) { cloud async throws in
                let first = try thumbprint(try await cloud.signingKey(for: "company", algorithm: .es256))
                #expect(try await knows(first, cloud))
                #expect(try await !knows(foreign, cloud))
                let second = try await cloud.rotateKeys(of: "company", overlap: .zero)
                #expect(try second.map { try thumbprint($0.key) }.contains(first) == false)
                #expect(try await knows(first, cloud))
                try await cloud.snapshot(to: folder + "/snapshot").copy(into: folder + "/copy")
                try await cloud.reset()
                #expect(try await knows(first, cloud))
                return first
            }
            for name in ["origin", "copy"] {
                try await withSandbox(folder: "\(folder)/\(name)", keys: nil) { cloud async throws in
                    #expect(try await knows(first, cloud))
                    #expect(try await !knows(foreign, cloud))
                }
            }
        }
    }

    @Test("include those that a sandbox shares with others of its template, also when the template is gone")
    func template() async throws {
        try await withTemporaryFolder { folder in
            let (stock, template) = (KeyStock(fullSize: 0), TemplateKeys())
            var options = Cloud.Options(seeds: [])
            options.keySupply = KeySupply(stock: stock, template: template)
            let (one, other) = (try await Cloud.open(Database(folder: folder), options), try await Cloud.open(Database(), options))
            let shared = try thumbprint(try await other.signingKey(for: "company"))
            #expect(try await knows(shared, one))
            let own = try thumbprint(try #require(try await other.rotateKeys(of: "company", overlap: .zero).first).key)
            #expect(try await !knows(own, one))
            await one.close()
            await other.close()
            try await withSandbox(folder: folder, keys: nil) { cloud async throws in #expect(try await knows(shared, cloud)) }
        }
    }

    @Test("are not those of the template once an issuer was removed, for any algorithm")
    func successor() async throws {
        let seed = try decodeSeed(
            "{identityProviders: [{name: 'company', issuer: 'https://login.example', clients: [{id: 'web'}], people: []}]}")
        var options = Cloud.Options(seeds: [seed])
        options.keySupply = KeySupply(stock: KeyStock(fullSize: 0), template: TemplateKeys())
        let (one, other) = (try await Cloud.open(Database(), options), try await Cloud.open(Database(), options))
        let provider = try #require(one.directory.providers["company"])
        let removed = try thumbprint(try await one.signingKey(for: "company"))
        #expect(try await thumbprint(other.signingKey(for: "company")) == removed)
        try await one.edit { $0.remove(DirectoryRecord.ID(.provider, "company")) }
        try await one.edit { $0.put(.provider(provider)) }
        let shared = [removed, try await thumbprint(other.signingKey(for: "company", algorithm: .rs384))]
        for algorithm in [SignatureAlgorithm.rs256, .rs384] {
            let new = try await one.signingKey(for: "company", algorithm: algorithm)
            #expect(try !shared.contains(thumbprint(new)), "\(algorithm)")
        }
        #expect(try await knows(removed, one))
        await one.close()
        await other.close()
    }

    @Test("are found in a file of an earlier version, which has only the keys themselves")
    func earlierVersion() async throws {
        try await withTemporaryFolder { folder in
            let keys = try await withSandbox(folder: folder, keys: nil) { cloud async throws in
                let company = try thumbprint(try await cloud.signingKey(for: "company", algorithm: .es256))
                let harbour = try thumbprint(try await cloud.signingKey(for: "harbour", algorithm: .es256))
                try await cloud.database.write { try SettingRecords.remove("known-keys", in: $0) }
                return [company, harbour]
            }
            try await withSandbox(folder: folder, keys: nil) { cloud async throws in
                _ = try await cloud.rotateKeys(of: "company", overlap: .zero)
                try await cloud.reset()
                for key in keys { #expect(try await knows(key, cloud)) }
            }
        }
    }

    @Test(
        "are not taken from a record that no sandbox has",
        arguments: ["{}", "[1]", "[null]", #"["short"]"#, "[\"\(String(repeating: "k", count: 23))\"]"])
    func malformed(record: String) async throws {
        try await withSandbox(keys: nil) { cloud async throws in
            try await cloud.database.write { try SettingRecords.set("known-keys", to: Array(record.utf8), in: $0) }
            await #expect(throws: StorageError.otherRows(table: "settings")) {
                try await cloud.hasKey(thumbprints: [String(repeating: "k", count: 22)])
            }
        }
    }

    @Test("are limited in number, and the oldest ones are forgotten first")
    func many() async throws {
        try await withSandbox(keys: nil) { cloud async throws in
            let names = (0..<KnownKeys.most + 2).map { String(String($0 + 1_000_000).reversed()) + String(repeating: "k", count: 15) }
            let known = try await cloud.database.write { connection in
                _ = try KnownKeys.add(names, in: connection)
                return try KnownKeys.add([], in: connection)
            }
            #expect(known.count == KnownKeys.most)
            #expect(!known.contains(names[1]))
            #expect(known.contains(names[2]))
            #expect(known.contains(try #require(names.last)))
        }
    }
}
