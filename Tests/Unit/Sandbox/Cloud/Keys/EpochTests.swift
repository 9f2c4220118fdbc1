import Fixtures
import SQLite
import Testing
import Tokens
import WireFormats

@testable import Cloud
@testable import ObjectStore
@testable import Seeds

@Suite("Epochs of a sandbox")
struct EpochTests {
    private func withCopies(
        _ test: (_ cloud: Cloud, _ copy: @Sendable () async throws -> Cloud, _ snapshot: @Sendable () async throws -> Void) async throws ->
            Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let threads = DatabaseThreads()
            let state = Copies(folder: folder, threads: threads)
            let cloud = try await Cloud.open(folder: folder + "/origin", seeds: [])
            try await test(cloud) {
                try await state.copy()
            } _: {
                try await state.take(of: cloud)
            }
            await cloud.close()
            await state.close()
            await threads.close()
        }
    }

    /// The copies of one snapshot.
    private actor Copies {
        let folder: String
        let threads: DatabaseThreads
        var snapshot: FrozenDatabase?
        var clouds: [Cloud] = []

        init(folder: String, threads: DatabaseThreads) { (self.folder, self.threads) = (folder, threads) }

        func take(of cloud: Cloud) async throws { snapshot = try await cloud.snapshot(to: "\(folder)/snapshot-\(clouds.count)") }

        func copy() async throws -> Cloud {
            let path = "\(folder)/\(clouds.count)"
            try #require(snapshot).copy(into: path)
            let cloud = try await Cloud.open(Database(at: path, threads: threads), Cloud.Options(seeds: []), isCopy: true)
            clouds.append(cloud)
            return cloud
        }

        func close() async { for cloud in clouds { await cloud.close() } }
    }

    private func isOpen(_ text: String, in cloud: Cloud) -> Bool { (try? SealedRecord.open(text, key: cloud.sealingKey)) != nil }

    @Test("make what was sealed before a snapshot good in every copy, and what is sealed afterwards in one")
    func sealing() async throws {
        try await withCopies { cloud, copy, snapshot in
            let before = try SealedRecord.seal([1], key: cloud.sealingKey)
            try await snapshot()
            let (one, other) = (try await copy(), try await copy())
            for cloud in [cloud, one, other] { #expect(isOpen(before, in: cloud)) }
            for issuer in [cloud, one, other] {
                let after = try SealedRecord.seal([1], key: issuer.sealingKey)
                for cloud in [cloud, one, other] { #expect(isOpen(after, in: cloud) == (cloud === issuer)) }
            }
            #expect(Set([cloud, one, other].map(\.epoch)).count == 3)
        }
    }

    @Test("name signing keys, and keys under earlier names remain published")
    func names() async throws {
        try await withCopies { cloud, copy, snapshot in
            let before = try await cloud.signingKey(for: "company").keyID
            try await snapshot()
            let after = try await cloud.signingKey(for: "company").keyID
            let sibling = try await copy()
            let names = try await sibling.publishedKeys(of: "company").map(\.key.keyID)
            #expect(names.contains(before))
            #expect(!names.contains(after))
            #expect(Set(names).count == names.count)
            #expect(names.first == (try await sibling.signingKey(for: "company").keyID))
            #expect(names.first != before)
            #expect(try await sibling.verificationKey(before, of: "company") != nil)
            #expect(try await sibling.verificationKey(after, of: "company") == nil)
            #expect(try await cloud.verificationKey(before, of: "company") != nil)
            #expect(before.split(separator: "-").last != after.split(separator: "-").last)
        }
    }

    @Test("in which nothing is issued are left out, so that snapshots do not make the key set grow")
    func unused() async throws {
        try await withTemporaryFolder { folder in
            try await withSandbox("{}") { cloud async throws in
                let sealed = try SealedRecord.seal([1], key: cloud.sealingKey)
                let key = try await cloud.signingKey(for: "company").keyID
                for number in 0..<20 {
                    _ = try await cloud.publishedKeys(of: "company")
                    _ = try await cloud.snapshot(to: "\(folder)/\(number)")
                }
                #expect(isOpen(sealed, in: cloud))
                let names = try await cloud.publishedKeys(of: "company").map(\.key.keyID)
                #expect(names.contains(key))
                #expect(names.count <= 3)
            }
        }
    }

    @Test("are limited in number, and the oldest ones end first")
    func many() async throws {
        try await withSandbox("{}") { cloud async throws in
            var sealed: [String] = []
            for number in 0..<Generation.mostEarlierEpochs + 10 {
                sealed.append(try SealedRecord.seal([1], key: cloud.sealingKey))
                if number % 2 == 0 { _ = try await cloud.signingKey(for: "company") }
                try await cloud.beginEpoch()
            }
            #expect(sealed.map { isOpen($0, in: cloud) } == (0..<sealed.count).map { $0 >= 10 })
            #expect(try await cloud.publishedKeys(of: "company").count == Generation.mostEarlierEpochs + 1)
        }
    }

    @Test("end with a reset")
    func reset() async throws {
        try await withCopies { cloud, _, snapshot in
            let before = try SealedRecord.seal([1], key: cloud.sealingKey)
            let key = try await cloud.signingKey(for: "company").keyID
            try await snapshot()
            let after = try SealedRecord.seal([1], key: cloud.sealingKey)
            try await cloud.reset()
            #expect(!isOpen(before, in: cloud))
            #expect(!isOpen(after, in: cloud))
            #expect(try await cloud.verificationKey(key, of: "company") == nil)
        }
    }

    @Test("of a file of an earlier version are the one whose secret it keeps")
    func earlierVersion() async throws {
        let secret = [UInt8](repeating: 9, count: 32)
        try await withTemporaryFolder { folder in
            try await withSandbox("{}", folder: folder) { cloud async throws in
                try await cloud.database.write { connection in
                    try SettingRecords.remove("epochs", in: connection)
                    try SettingRecords.set("session-secret", to: secret, in: connection)
                    try SettingRecords.set("generation", to: Array("7".utf8), in: connection)
                }
            }
            try await withSandbox("{}", folder: folder) { cloud async throws in
                #expect(cloud.generation == 7)
                #expect(cloud.epoch == "7")
                let sealed = try SealedRecord.seal([1], key: SealingKey(key: secret, generation: Array("7".utf8)))
                #expect(isOpen(sealed, in: cloud))
                try await cloud.beginEpoch()
                #expect(isOpen(sealed, in: cloud))
                #expect(cloud.epoch != "7")
                #expect(try cloud.database.read { try SettingRecords.value("session-secret", in: $0) } == nil)
            }
            try await withSandbox("{}", folder: folder) { cloud async throws in
                #expect(cloud.generation == 7)
                #expect(cloud.epoch != "7")
            }
        }
    }

    @Test("are stored and read again", arguments: ["[]", "[1]", "{}", "[{\"id\":\"a\"}]"])
    func malformed(text: String) async throws {
        let epoch = try Epoch()
        #expect(Epoch(epoch.record) == epoch)
        // A record that cannot be used is as good as none: the sandbox begins its next generation.
        try await withTemporaryFolder { folder in
            try await withSandbox("{}", folder: folder) { cloud async throws in
                try await cloud.database.write { try SettingRecords.set("epochs", to: Array(text.utf8), in: $0) }
            }
            try await withSandbox("{}", folder: folder) { cloud async throws in #expect(cloud.generation == 2) }
        }
    }
}
