import Calls
import Cryptography
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("QR codes")
struct QRCodeTests {
    @Test("correct errors as the example of the standard does")
    func correction() {
        // ISO/IEC 18004:2015 Annex I.2: "01234567" in version 1-M.
        let example: [UInt8] = [0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11]
        let expected: [UInt8] = [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55]
        #expect(QRCodewords.remainder(of: example, by: QRCodewords.generator(degree: 10)) == expected)
        // "HELLO WORLD" in version 1-M, as published at thonky.com.
        let hello: [UInt8] = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
        #expect(QRCodewords.remainder(of: hello, by: QRCodewords.generator(degree: 10)) == [196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
    }

    @Test("describe mask and version as the tables of the standard do")
    func descriptions() {
        // ISO/IEC 18004:2015 Table C.1, level M, and Table D.1.
        #expect((0..<8).map(QRCode.formatBits) == [0x5412, 0x5125, 0x5E7C, 0x5B4B, 0x45F9, 0x40CE, 0x4F97, 0x4AA0])
        #expect((7...10).map(QRCode.versionBits) == [0x07C94, 0x085BC, 0x09A99, 0x0A4D3])
    }

    @Test("equal those of another encoder, module by module")
    func symbol() throws {
        // python-qrcode 8.2, level M, mask 2, bytes.
        let code = try #require(QRCode("virga", version: 1, mask: 2))
        #expect(
            code.rows == [
                "#######..#..#.#######",
                "#.....#..###..#.....#",
                "#.###.#.##.##.#.###.#",
                "#.###.#.#..#..#.###.#",
                "#.###.#.#...#.#.###.#",
                "#.....#.####..#.....#",
                "#######.#.#.#.#######",
                "........###..........",
                "#.#####..#.#..#####..",
                ".#..#..########.....#",
                "#######.##..#.##.###.",
                "#....#.##.#####..##.#",
                "##.##.##.#..#..#.#.#.",
                "........#...#..#..###",
                "#######..#.#.#..#..#.",
                "#.....#.##.....#####.",
                "#.###.#.####.#..#..#.",
                "#.###.#.#.######.##..",
                "#.###.#.#...#.##.#...",
                "#.....#....####..##..",
                "#######.#.#.#..#...#.",
            ])
    }

    @Test(
        "equal those of another encoder in each version and mask",
        arguments: [
            (1, 1, 13, "bc70d75d83840d159ec774ad809de8c983e8e52021fb04b9ffc3b8538d6c7a9b"),
            (2, 2, 25, "7380843da726c80c9a0930008789b6bb1cd778dd4729d0a0c3e5b5693b1d8112"),
            (3, 3, 41, "a6f9c082f7a2fdb8720d36dcf78cf3fa7e65d7585fc3743d968d160454c76789"),
            (4, 4, 61, "1239271e436b5a291a0b954e01f32e62574c29bfe7bdcca7f2e45aa965a7ce30"),
            (5, 5, 83, "8dd84c66532d3cd48637416a80a549f0348b04681aa00bcdb97eeecc47c9fc62"),
            (6, 6, 105, "b86858380fa0e7f8de60eef5466b23dca268e2cef96dba43549b2130e423ba6a"),
            (7, 7, 121, "cf6c0521aadd0a11774d97ec6ee1fdf697327d655e15545a3773c56d06454f6d"),
            (8, 0, 151, "533886a166827f5916cfcf9d7a9f25334323293b721a2a48d9d2c4d9c2e63cd4"),
            (9, 1, 179, "9b503313160e15cada7e560f49ec708b4850c3f246d9c2c3ab9bc817607b021f"),
            (10, 2, 212, "952af7b42ce2827f16397bd0946ed664f0f2009d7a19f039837482e03767cfd8"),
        ])
    func symbols(version: Int, mask: Int, length: Int, digest: String) throws {
        let text = String(repeating: "http://school.example:4567/_virga/ui/join?code=abcd-efgh-jkmn&", count: 5).prefix(length)
        let code = try #require(QRCode(String(text), version: version, mask: mask))
        // The SHA-256 of the rows of python-qrcode 8.2.
        #expect(SHA256.hash(code.rows.joined(separator: "\n")).hex == digest)
    }

    @Test("use the smallest version, and refuse what is too long")
    func sizes() {
        for (length, size) in [(1, 21), (14, 21), (15, 25), (26, 25), (62, 33), (63, 37), (213, 57)] {
            #expect(QRCode(String(repeating: "x", count: length))?.size == size)
        }
        #expect(QRCode(String(repeating: "x", count: 214)) == nil)
        #expect(QRCode(String(repeating: "é", count: 107)) == nil)
        #expect(QRCode("x", version: 11) == nil)
        #expect(QRCode("")?.html(label: "<b>").text.contains("&lt;b&gt;") == true)
    }
}
