import Cloud
import ObjectServing
import ObjectStore
import Testing

@testable import S3Face

@Suite("Checksums of multipart objects")
struct CombinedChecksumTests {
    @Test(
        "equal the checksum of the whole, for any parts",
        arguments: [Checksum.Algorithm.crc32, .crc32c, .crc64nvme, .crc64xz], [1, 7, 300, 4095])
    func combines(_ algorithm: Checksum.Algorithm, _ cut: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let whole = (0..<4096).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let pieces = [whole[..<cut], whole[cut...], []]
        let parts = pieces.map { piece in (size: Int64(piece.count), checksum: checksum(algorithm, Array(piece))) }
        #expect(combinedChecksum(algorithm, .fullObject, of: parts)?.bytes == checksum(algorithm, whole).bytes)
    }

    @Test("of the composite type cover the checksums of the parts")
    func composite() {
        let parts = ["one", "two"].map { (size: Int64(3), checksum: checksum(.sha256, Array($0.utf8))) }
        let combined = combinedChecksum(.sha256, .composite, of: parts)
        #expect(combined?.bytes == checksum(.sha256, parts.flatMap(\.checksum.bytes)).bytes)
        #expect(combined?.coverage == .composite)
        #expect(combined?.text(partCount: 2).hasSuffix("=-2") == true)
    }

    @Test(
        "of the full-object type do not exist for digests and hashes",
        arguments: Checksum.Algorithm.allCases.filter { !$0.isCyclicRedundancyCheck })
    func digests(_ algorithm: Checksum.Algorithm) {
        let part = (size: Int64(1), checksum: checksum(algorithm, [0]))
        #expect(combinedChecksum(algorithm, .fullObject, of: [part]) == nil)
        #expect(combinedChecksum(algorithm, .composite, of: [part])?.bytes.count == algorithm.byteCount)
    }

    private func checksum(_ algorithm: Checksum.Algorithm, _ bytes: [UInt8]) -> Checksum {
        var running = RunningChecksum(algorithm)
        bytes.withUnsafeBytes { running.update($0) }
        return Checksum(algorithm, bytes: running.finalize())
    }
}
