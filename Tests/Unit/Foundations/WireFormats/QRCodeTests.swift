import Testing

@testable import WireFormats

@Suite("QR codes")
struct QRCodeTests {
    /// ISO/IEC 18004, Table 1: a version has four more modules on each side than the one before.
    @Test(
        "are as large as the bytes need", arguments: [(0, 21), (17, 21), (18, 25), (134, 41), (230, 53), (231, 57), (271, 57), (520, 77)])
    func sizes(_ count: Int, _ size: Int) throws {
        #expect(QRCode(Array(repeating: 0x61, count: count))?.size == size)
    }

    @Test("hold at most what the largest supported version holds")
    func tooLong() {
        #expect(QRCode(Array(repeating: 0x61, count: 521)) == nil)
    }

    @Test("have finders in three corners and timing patterns between them")
    func patterns() throws {
        let code = try #require(QRCode(Array("otpauth://totp/a@b?secret=C".utf8)))
        let end = code.size - 7
        for (x, y) in [(0, 0), (end, 0), (0, end)] {
            for offset in 0..<7 {
                #expect(code.isDark(x + offset, y))
                #expect(code.isDark(x, y + offset))
                #expect(code.isDark(x + 3, y + 3))
            }
        }
        for place in 8..<(code.size - 8) { #expect(code.isDark(place, 6) == place.isMultiple(of: 2)) }
    }

    /// ISO/IEC 18004, Annex I.2 has the error correction of version 1-M for these sixteen bytes.
    @Test("have the error correction of the standard's example")
    func correction() {
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
        ]
        let all = ReedSolomon(length: 10).interleaved(data, total: 26, blocks: 1)
        #expect(all == data + [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
    }

    @Test("are images with one bit per pixel and a margin")
    func image() throws {
        let code = try #require(QRCode([0x61]))
        let png = code.png(scale: 1)
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(png[8..<29]) == [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 29, 0, 0, 0, 29, 1, 0, 0, 0, 0])
        let start = try #require(png.indices.first { Array(png[$0...].prefix(4)) == Array("IDAT".utf8) }) + 4
        let length = Int(png[start - 6]) << 8 | Int(png[start - 5])
        let rows = try #require(Array(png[(start + 2)..<(start + length - 4)]).inflated(upTo: 1000))
        #expect(rows.count == 29 * 5)
        // The margin is white; the finder's first row follows it.
        #expect(Array(rows[1..<5]).allSatisfy { $0 == 0xFF })
        #expect(rows[21] == 0xF0)
        #expect(rows[22] >> 4 == 0x1)
    }
}
