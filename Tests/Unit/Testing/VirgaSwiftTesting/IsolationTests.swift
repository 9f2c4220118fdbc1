import Fixtures
import Testing
import VirgaSwiftTesting
import VirgaTesting

@Suite("Tests in parallel", .virga(seed: .json5(OpenBucket.seed)))
struct IsolationTests {
    @Test("write the same key and read only their own object", arguments: 0..<250)
    func isolated(number: Int) async throws {
        let cloud = try Virga.current
        #expect(try await OpenBucket.get("key", at: cloud.endpoint) == nil)
        try await OpenBucket.put("object \(number)", "key", at: cloud.endpoint)
        #expect(try await OpenBucket.get("key", at: cloud.endpoint) == "object \(number)")
        try await cloud.journal.expect(.anonymous, did: "s3:PutObject", on: "arn:aws:s3:::box/key", times: 1)
    }

    @Test("take snapshots of the same name and restore only their own", arguments: 0..<20)
    func snapshots(number: Int) async throws {
        let cloud = try Virga.current
        try await OpenBucket.put("object \(number)", "key", at: cloud.endpoint)
        try await cloud.snapshot("written")
        try await OpenBucket.put("changed", "key", at: cloud.endpoint)
        try await cloud.restore("written")
        #expect(try await OpenBucket.get("key", at: cloud.endpoint) == "object \(number)")
    }
}
