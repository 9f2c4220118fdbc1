import Fixtures
import Testing
import VirgaTesting

@Suite("A cloud's sandbox")
struct SandboxTests {
    @Test("is copied into a fork, and then neither sees what happens in the other")
    func fork() async throws {
        try await withCloud(seed: .json5(OpenBucket.seed)) { cloud in
            try await OpenBucket.put("before", "key", at: cloud.endpoint)
            let copyOfCloud = try await cloud.fork { copy in
                #expect(copy.endpoint != cloud.endpoint)
                #expect(try await OpenBucket.get("key", at: copy.endpoint) == "before")
                try await OpenBucket.put("after", "key", at: copy.endpoint)
                try await copy.fork { grandchild async throws in
                    #expect(try await OpenBucket.get("key", at: grandchild.endpoint) == "after")
                }
                return copy
            }
            #expect(try await OpenBucket.get("key", at: cloud.endpoint) == "before")
            let error = await #expect(throws: CloudError.self) { try await copyOfCloud.reset() }
            #expect(error?.code == .stopped)
        }
    }

    @Test("goes back to snapshots at the same address, and to its seed")
    func restore() async throws {
        try await withCloud(seed: .json5(OpenBucket.seed)) { cloud in
            try await OpenBucket.put("1", "key", at: cloud.endpoint)
            try await cloud.snapshot("one")
            try await OpenBucket.put("2", "key", at: cloud.endpoint)
            try await cloud.snapshot("two")
            try await cloud.restore("one")
            #expect(try await OpenBucket.get("key", at: cloud.endpoint) == "1")
            #expect(try await cloud.journal.entries.count == 1)
            try await cloud.restore("two")
            #expect(try await OpenBucket.get("key", at: cloud.endpoint) == "2")
            try await cloud.reset()
            #expect(try await OpenBucket.get("key", at: cloud.endpoint) == nil)
        }
    }

    @Test("takes a snapshot again in place of the earlier one")
    func replacement() async throws {
        try await withCloud(seed: .json5(OpenBucket.seed)) { cloud in
            for text in ["1", "2"] {
                try await OpenBucket.put(text, "key", at: cloud.endpoint)
                try await cloud.snapshot("base")
            }
            try await cloud.reset()
            try await cloud.restore("base")
            #expect(try await OpenBucket.get("key", at: cloud.endpoint) == "2")
        }
    }

    @Test("rejects names of snapshots that are not valid or not known")
    func names() async throws {
        try await withCloud { cloud in
            let unknown = await #expect(throws: CloudError.self) { try await cloud.restore("none") }
            #expect(unknown?.code == .unknownSnapshot)
            #expect(unknown?.message.contains("'none'") == true)
            let invalid = await #expect(throws: CloudError.self) { try await cloud.snapshot("Not Valid") }
            #expect(invalid?.code == .invalidArgument)
        }
    }
}
