import Testing
import WireFormats

@Suite("Checksums")
struct ChecksumTests {
    /// The check values from the catalogue of parametrised CRC algorithms (reveng), for the nine digits.
    @Test("the nine digits have the published check values")
    func published() {
        #expect(crc32(of: ["123456789"]) == 0xCBF4_3926)
        #expect(crc32c(of: ["123456789"]) == 0xE306_9283)
        #expect(crc64(of: ["123456789"]) == 0xAE8B_1486_0A79_9888)
        #expect(crc64xz(of: ["123456789"]) == 0x995D_C9BB_DF19_39FA)
    }

    /// RFC 3720 appendix B.4.
    @Test("CRC-32C has the values of RFC 3720")
    func castagnoli() {
        var zeros = CRC32C()
        [UInt8](repeating: 0, count: 32).withUnsafeBytes { zeros.update($0) }
        #expect(zeros.value == 0x8A91_36AA)
        var rising = CRC32C()
        [UInt8](0..<32).withUnsafeBytes { rising.update($0) }
        #expect(rising.value == 0x46DD_794E)
    }

    @Test("an empty input has the checksum zero")
    func empty() {
        #expect(crc32(of: [""]) == 0)
        #expect(crc32c(of: []) == 0)
        #expect(crc64(of: [""]) == 0)
    }

    @Test("a stream has the same checksum wherever it is split")
    func splits() {
        var generator = SystemRandomNumberGenerator()
        for length in [1, 7, 8, 9, 63, 64, 1000] {
            let text = String(decoding: (0..<length).map { _ in UInt8.random(in: 0..<128, using: &generator) }, as: UTF8.self)
            for _ in 0..<10 {
                let cut = text.utf8.index(text.startIndex, offsetBy: Int.random(in: 0...length, using: &generator))
                let parts = [String(text[..<cut]), String(text[cut...])]
                #expect(crc32(of: parts) == crc32(of: [text]))
                #expect(crc32c(of: parts) == crc32c(of: [text]))
                #expect(crc64(of: parts) == crc64(of: [text]))
                #expect(crc64xz(of: parts) == crc64xz(of: [text]))
            }
        }
    }

    @Test("a long text has the same checksum in one piece and byte by byte", arguments: [127, 128, 129, 191, 192, 207, 1000, 4099])
    func pieces(length: Int) {
        let text = String(decoding: (0..<length).map { _ in UInt8.random(in: 0..<128) }, as: UTF8.self)
        let bytes = text.unicodeScalars.map { String($0) }
        #expect(crc32(of: [text]) == crc32(of: bytes))
        #expect(crc32c(of: [text]) == crc32c(of: bytes))
        #expect(crc64(of: [text]) == crc64(of: bytes))
        #expect(crc64xz(of: [text]) == crc64xz(of: bytes))
    }

    /// The values that OSS returns as `x-oss-hash-crc64ecma`.
    @Test(
        "CRC-64/XZ has the values that OSS publishes",
        arguments: [
            ("", 0), ("123456789", 11_051_210_869_376_104_954), ("hello world", 5_981_764_153_023_615_706),
            (String(repeating: "a", count: 1000), 8_507_562_387_239_917_932),
        ] as [(String, UInt64)])
    func xz(_ text: String, _ check: UInt64) { #expect(crc64xz(of: [text]) == check) }

    private func crc64xz(of parts: [String]) -> UInt64 {
        var check = CRC64XZ()
        for part in parts { Array(part.utf8).withUnsafeBytes { check.update($0) } }
        return check.value
    }

    private func crc32(of parts: [String]) -> UInt32 {
        var check = CRC32()
        for part in parts { Array(part.utf8).withUnsafeBytes { check.update($0) } }
        return check.value
    }

    private func crc32c(of parts: [String]) -> UInt32 {
        var check = CRC32C()
        for part in parts { Array(part.utf8).withUnsafeBytes { check.update($0) } }
        return check.value
    }

    private func crc64(of parts: [String]) -> UInt64 {
        var check = CRC64NVME()
        for part in parts { Array(part.utf8).withUnsafeBytes { check.update($0) } }
        return check.value
    }
}
