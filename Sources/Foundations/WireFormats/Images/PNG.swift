/// Images in black and white (Portable Network Graphics, W3C).
package enum PNG {
    /// Returns an image.
    /// - Parameters:
    ///   - width: the number of columns, at least 1.
    ///   - height: the number of rows, at least 1.
    ///   - isDark: returns whether a pixel is black, by its column and row.
    package static func image(width: Int, height: Int, isDark: (_ x: Int, _ y: Int) -> Bool) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            // Filter type 0 (none), then one bit for each pixel.
            rows.append(0)
            for start in stride(from: 0, to: width, by: 8) {
                rows.append((start..<(start + 8)).reduce(0) { byte, x in byte << 1 | (x < width && isDark(x, y) ? 0 : 1) })
            }
        }
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // One-bit grayscale, deflate compression, standard filters, not interlaced.
        let header = bytes(UInt32(width)) + bytes(UInt32(height)) + [1, 0, 0, 0, 0]
        // DEFLATE in the zlib format (RFC 1950).
        let data = [0x78, 0x9C] + rows.deflated + bytes(adler32(rows))
        return signature + chunk("IHDR", header) + chunk("IDAT", data) + chunk("IEND", [])
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
