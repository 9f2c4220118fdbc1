import Cloud
import Fixtures
import HTTPTypes
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Checksum headers")
struct ChecksumHeaderTests {
    @Test("of every algorithm are verified, stored and returned", arguments: Checksum.Algorithm.allCases.filter { $0 != .crc64xz })
    func kinds(_ algorithm: Checksum.Algorithm) async throws {
        func checksum(_ text: String) -> String {
            var running = RunningChecksum(algorithm)
            Array(text.utf8).withUnsafeBytes { running.update($0) }
            return running.finalize().base64
        }
        let name = algorithm.header.canonicalName
        try await S3Sandbox.run { s3 async throws in
            let wrong = try await s3.put("k", "content", [name: checksum("another")])
            #expect(wrong.status == 400, "\(wrong.text)")
            #expect(wrong.code == "BadDigest", "\(wrong.text)")
            let put = try await s3.put("k", "content", [name: checksum("content")])
            #expect(put.status == 200, "\(put.text)")
            #expect(put[name] == checksum("content"), "\(put.text)")
            let head = try await s3.send(.head, "/files/k", ["x-amz-checksum-mode": "ENABLED"])
            #expect(head[name] == checksum("content"))
        }
    }
}
