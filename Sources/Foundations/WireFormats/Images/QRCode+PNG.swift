extension QRCode {
    /// Returns the code as a PNG image (Portable Network Graphics, W3C), black on white, with the margin that readers need.
    /// - Parameter scale: the side of a module in pixels.
    package func png(scale: Int = 4) -> [UInt8] {
        let margin = 4
        let side = (size + 2 * margin) * scale
        var rows: [UInt8] = []
        for y in 0..<side {
            // Filter type 0 (none), then one bit for each pixel.
            rows.append(0)
            for start in stride(from: 0, to: side, by: 8) {
                rows.append(
                    (start..<(start + 8)).reduce(0) { byte, x in
                        let (column, row) = (x / scale - margin, y / scale - margin)
                        let isInside = (0..<size).contains(column) && (0..<size).contains(row)
                        return byte << 1 | (isInside && isDark(column, row) ? 0 : 1)
                    })
            }
        }
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // One-bit grayscale, deflate compression, standard filters, not interlaced.
        let header = Self.bytes(UInt32(side)) + Self.bytes(UInt32(side)) + [1, 0, 0, 0, 0]
        // DEFLATE in the zlib format (RFC 1950).
        let data = [0x78, 0x9C] + rows.deflated + Self.bytes(Self.adler32(rows))
        return signature + Self.chunk("IHDR", header) + Self.chunk("IDAT", data) + Self.chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + data
        var check = CRC32()
        content.withUnsafeBytes { check.update($0) }
        return bytes(UInt32(data.count)) + content + bytes(check.value)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (sum, sums): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            sum = (sum + UInt32(byte)) % 65_521
            sums = (sums + sum) % 65_521
        }
        return sums << 16 | sum
    }
}
