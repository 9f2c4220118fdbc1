import Fixtures
import Testing
import VirgaTesting

@Suite("Starting a cloud")
struct WithCloudTests {
    @Test("rejects a seed with a fault, and reports its place")
    func invalidSeed() async throws {
        let error = await #expect(throws: CloudError.self) { try await withCloud(seed: "{acounts: []}") { _ in } }
        #expect(error?.code == .invalidSeed)
        #expect(error?.description.contains("acounts") == true)
    }

    @Test("rejects a seed file that does not exist")
    func missingFile() async throws {
        let error = await #expect(throws: CloudError.self) { try await withCloud(seed: .file("/does/not/exist.json5")) { _ in } }
        #expect(error?.code == .invalidSeed)
        #expect(error?.description.contains("/does/not/exist.json5") == true)
    }

    @Test("passes the errors of the test on")
    func ownError() async throws {
        struct Mistake: Error {}
        await #expect(throws: Mistake.self) { try await withCloud { _ in throw Mistake() } }
    }

    @Test("takes a seed as text or as a literal, and none")
    func seeds() async throws {
        let text = OpenBucket.seed
        try await withCloud(seed: text) { cloud async throws in #expect(try await OpenBucket.put("text", "key", at: cloud.endpoint) == 200)
        }
        try await withCloud { cloud async throws in #expect(try await OpenBucket.put("text", "key", at: cloud.endpoint) == 404) }
        try await withCloud(seed: .empty, bucketDefaults: .legacy) { cloud in #expect(cloud.name == "default") }
    }

    @Test("gives a cloud that says it has stopped afterwards")
    func stopped() async throws {
        let cloud = try await withCloud { $0 }
        let error = await #expect(throws: CloudError.self) { try await cloud.clock.freeze() }
        #expect(error?.code == .stopped)
    }
}
