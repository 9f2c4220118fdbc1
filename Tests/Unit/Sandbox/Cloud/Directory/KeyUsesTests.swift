import Fixtures
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("The uses of access keys")
struct KeyUsesTests {
    private static let seed = """
        {accounts: [{id: "111111111111", rootKeys: [{id: "root", secret: "r"}],
          users: [{name: "ann", accessKeys: [{id: "one", secret: "1"}, {id: "two", secret: "2"}]}]}]}
        """

    private struct MissingKey: Error {}

    private func lastUse(of id: String, in cloud: Cloud) throws -> AccessKey.LastUse? {
        switch cloud.directory.keys[id] {
        case .root(_, let key), .user(_, let key): cloud.keyUses.lastUse(of: key)
        case nil: throw MissingKey()
        }
    }

    @Test("are reported to the minute, and survive a restart")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                for (index, id) in ["root", "one", "two"].enumerated() {
                    cloud.keyUses.note(id, service: "s3", region: "eu-west-1", at: Timestamp(seconds: 1_790_000_045 + Int64(index) * 60))
                }
            }
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                for (index, id) in ["root", "one", "two"].enumerated() {
                    let use = try #require(try lastUse(of: id, in: cloud))
                    // 1,790,000,045 is 5 seconds into its minute.
                    #expect(use.reportedTime(by: cloud.clock) == Timestamp(seconds: 1_790_000_040 + Int64(index) * 60))
                    #expect(use.service == "s3")
                    #expect(use.region == "eu-west-1")
                }
            }
        }
    }

    @Test("age only by what came after them, in the same minute too", arguments: [(99, 3600), (100, 3600), (101, 0)] as [(Int64, Int64)])
    func aging(second: Int64, aging: Int64) throws {
        let clock = SandboxClock(ages: [.init(declared: 6100, seconds: 3600)]) { Timestamp(seconds: 10_000) }
        let (uses, key) = (KeyUses(), AccessKey(id: "one", secret: "1", created: Timestamp(seconds: 0)))
        uses.note("one", service: "s3", region: "eu-west-1", at: Timestamp(seconds: 6000 + second))
        let use = try #require(uses.lastUse(of: key))
        #expect(use.reportedTime(by: clock) == Timestamp(seconds: 6060 - aging))
    }

    @Test("are removed by a reset")
    func reset() async throws {
        try await withSandbox(Self.seed) { cloud async throws in
            cloud.keyUses.note("one", service: "s3", region: "eu-west-1", at: Timestamp(seconds: 1_790_000_045))
            #expect(try lastUse(of: "one", in: cloud) != nil)
            try await cloud.reset()
            #expect(try lastUse(of: "one", in: cloud) == nil)
        }
    }
}
