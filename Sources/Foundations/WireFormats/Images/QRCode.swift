/// A QR code of bytes (ISO/IEC 18004), at the lowest level of error correction.
package struct QRCode: Sendable {
    /// The number of modules of a side.
    package let size: Int
    /// Whether each module is dark, row by row.
    private var dark: [Bool]
    /// The modules whose color does not depend on the content.
    private var isFixed: [Bool]

    /// The error correction of each version from 1 at level L: bytes of each block, and number of blocks (ISO/IEC 18004, Table 9).
    private static let correction = [
        (7, 1), (10, 1), (15, 1), (20, 1), (26, 1), (18, 2), (20, 2), (24, 2), (30, 2), (18, 4), (20, 4), (24, 4), (26, 4), (30, 4),
        (22, 6),
    ]

    /// Encodes `bytes`; `nil` for more than 520 bytes.
    package init?(_ bytes: [UInt8]) {
        func room(_ version: Int) -> Int {
            let (length, blocks) = Self.correction[version - 1]
            return Self.codewords(version) - length * blocks
        }
        // Mode and count take 12 bits; from version 10 on they take 20.
        guard let version = (1...Self.correction.count).first(where: { room($0) >= bytes.count + ($0 < 10 ? 2 : 3) }) else { return nil }
        size = version * 4 + 17
        dark = Array(repeating: false, count: size * size)
        isFixed = dark
        drawPatterns(version)
        let (length, blocks) = Self.correction[version - 1]
        draw(
            ReedSolomon(length: length).interleaved(
                Self.data(bytes, version, room(version)), total: Self.codewords(version), blocks: blocks))
    }

    /// Returns whether a module is dark, by its column and row from the upper left corner.
    package func isDark(_ x: Int, _ y: Int) -> Bool { dark[y * size + x] }

    /// Returns the number of bytes of a version, including error correction: the modules that the patterns leave free.
    private static func codewords(_ version: Int) -> Int {
        var modules = (16 * version + 128) * version + 64
        if version >= 2 {
            let alignments = version / 7 + 2
            modules -= (25 * alignments - 10) * alignments - 55
            if version >= 7 { modules -= 36 }
        }
        return modules / 8
    }

    /// Returns the mode "bytes", the number of bytes, the bytes, and the padding.
    private static func data(_ bytes: [UInt8], _ version: Int, _ room: Int) -> [UInt8] {
        var data: [UInt8] = []
        // All data is shifted by half a byte, because the mode has four bits.
        var half: UInt8 = 0x4
        let count = version < 10 ? [UInt8(bytes.count)] : [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
        for byte in count + bytes {
            data.append(half << 4 | byte >> 4)
            half = byte & 0xF
        }
        data.append(half << 4)
        for filler in 0..<(room - data.count) { data.append(filler.isMultiple(of: 2) ? 0xEC : 0x11) }
        return data
    }

    private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
        dark[y * size + x] = isDark
        isFixed[y * size + x] = true
    }

    private mutating func drawPatterns(_ version: Int) {
        for place in 0..<size {
            fix(6, place, place.isMultiple(of: 2))
            fix(place, 6, place.isMultiple(of: 2))
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawSquares(x, y, reach: 4, light: [2, 4]) }
        let places = Self.alignments(version, size)
        for x in places {
            for y in places where ![(6, 6), (6, size - 7), (size - 7, 6)].contains(where: { $0 == (x, y) }) {
                drawSquares(x, y, reach: 2, light: [1])
            }
        }
        drawFormat()
        if version >= 7 { drawVersion(version) }
    }

    /// Draws concentric squares around a module, dark except at the distances in `light`.
    private mutating func drawSquares(_ x: Int, _ y: Int, reach: Int, light: Set<Int>) {
        for row in max(0, y - reach)...min(size - 1, y + reach) {
            for column in max(0, x - reach)...min(size - 1, x + reach) {
                fix(column, row, !light.contains(max(abs(row - y), abs(column - x))))
            }
        }
    }

    /// Returns the rows and columns at whose intersections alignment patterns lie.
    private static func alignments(_ version: Int, _ size: Int) -> [Int] {
        guard version >= 2 else { return [] }
        let count = version / 7 + 2
        let step = (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<(count - 1)).map { size - 7 - $0 * step }
    }

    /// Draws level L and mask 0, which every reader accepts, with their own error correction.
    private mutating func drawFormat() {
        let level = 1 << 3
        var rest = level
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (level << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0..<6 { fix(8, index, bit(index)) }
        fix(8, 7, bit(6))
        fix(8, 8, bit(7))
        fix(7, 8, bit(8))
        for index in 9..<15 { fix(14 - index, 8, bit(index)) }
        for index in 0..<8 { fix(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { fix(8, size - 15 + index, bit(index)) }
        fix(8, size - 8, true)
    }

    private mutating func drawVersion(_ version: Int) {
        var rest = version
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version << 12 | rest
        for index in 0..<18 {
            let (near, far) = (index / 3, size - 11 + index % 3)
            fix(far, near, bits >> index & 1 == 1)
            fix(near, far, bits >> index & 1 == 1)
        }
    }

    /// Draws bytes in columns of two modules, from the right, alternately upwards and downwards, with a checkerboard mask.
    private mutating func draw(_ codewords: [UInt8]) {
        var index = 0
        for right in Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = isUpward ? size - 1 - step : step
                for x in [right, right - 1] where !isFixed[y * size + x] {
                    let bit = index < codewords.count * 8 && codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
                    dark[y * size + x] = bit != (x + y).isMultiple(of: 2)
                    index += 1
                }
            }
        }
    }
}
