import Fixtures
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Generations of a sandbox")
struct GenerationTests {
    private static let seed = """
        {accounts: [{id: "000000000000", rootKeys: [{id: "test", secret: "test"}],
           buckets: [{name: "files", objects: [
             {key: "hello", text: "Hello", contentType: "text/plain", metadata: {colour: "blue"}}]}]}]}
        """

    @Test("count resets, also across restarts")
    func count() async throws {
        try await withTemporaryFolder { folder in
            try await withSandbox(folder: folder) { cloud async throws in
                #expect(cloud.generation == 1)
                try await cloud.reset()
                #expect(cloud.generation == 2)
            }
            try await withSandbox(folder: folder) { cloud in #expect(cloud.generation == 2) }
        }
    }

    @Test("start with the seed's buckets and objects and nothing else")
    func buckets() async throws {
        try await withSandbox(Self.seed) { cloud async throws in
            let files = try #require(cloud.objects.bucket(named: "files"))
            let object = try #require(try cloud.objects.open("hello", in: files.id).object)
            #expect(object.record.attributes.contentType == "text/plain")
            #expect(object.record.size == 5)
            #expect(object.record.attributes.metadata == [MetadataField(name: "colour", value: "blue")])
            _ = try await cloud.objects.createBucket(
                named: "more", account: "000000000000", region: "us-east-1", created: cloud.clock.now)
            try await cloud.grantIssuer.keep(
                Grant(
                    kind: .code, provider: "p", client: "c", person: "x", issued: cloud.clock.now,
                    expires: cloud.clock.now + .seconds(60)), under: "code")
            try await cloud.reset()
            #expect(cloud.objects.allBuckets.map(\.name) == ["files"])
            #expect(cloud.objects.bucket(named: "files")?.id != files.id)
            #expect(try cloud.grants.look(up: "code", kind: .code, at: "p") == nil)
        }
    }

    @Test("that begin concurrently follow one another")
    func concurrency() async throws {
        try await withSandbox(Self.seed) { cloud async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await cloud.reset() } }
                for _ in 0..<4 { group.addTask { try await cloud.age(by: .seconds(1)) } }
                try await group.waitForAll()
            }
            #expect(cloud.generation == 9)
            #expect(cloud.objects.allBuckets.map(\.name) == ["files"])
            let stored = try cloud.database.read(AgeRecords.all).reduce(0) { $0 + $1.seconds }
            #expect(cloud.clock.aging(since: Timestamp(seconds: 0)) == stored)
        }
    }

    @Test("that were interrupted start again under the next number")
    func interruption() async throws {
        try await withTemporaryFolder { folder in
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                try await cloud.database.write(Generation.abandon)
                try await cloud.objects.reset()
            }
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                #expect(cloud.generation == 2)
                #expect(cloud.objects.allBuckets.map(\.name) == ["files"])
            }
        }
    }

    @Test("keep their changes, whatever the seed says at the next start")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                let files = try #require(cloud.objects.bucket(named: "files"))
                try await cloud.objects.delete(
                    KeyDeletion(key: "hello"), in: files.id, on: DeletionTerms(modified: cloud.clock.now, owner: "000000000000"))
            }
            try await withSandbox(folder: folder) { cloud async throws in
                let files = try #require(cloud.objects.bucket(named: "files"))
                #expect(try cloud.objects.open("hello", in: files.id).object == nil)
                #expect(cloud.directory.accounts["000000000000"]?.rootKeys.map(\.id) == ["test"])
            }
        }
    }
}
