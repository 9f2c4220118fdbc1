/// A QR code of a text, with error correction level M, in versions 1 to 10. (ISO/IEC 18004:2015.)
struct QRCode {
    /// The modules of a side.
    let size: Int
    private let version: Int
    /// Whether a module is dark, row by row.
    private var dark: [Bool]
    /// Whether a module belongs to a pattern or describes the symbol, so that it holds no data.
    private var reserved: [Bool]

    /// - Parameters:
    ///   - version: the size of the symbol; `nil` for the smallest one.
    ///   - mask: the pattern that is applied to the data; `nil` for the one that readers like best.
    /// - Returns: `nil` if the text has more than 213 bytes, or does not fit into the version.
    init?(_ text: String, version chosen: Int? = nil, mask: Int? = nil) {
        let bytes = Array(text.utf8)
        guard let version = chosen ?? QRCodewords.version(for: bytes.count), QRCodewords.versions.contains(version),
            bytes.count <= QRCodewords.capacity(version)
        else { return nil }
        self.version = version
        size = 17 + 4 * version
        dark = Array(repeating: false, count: size * size)
        reserved = dark
        drawPatterns()
        draw(QRCodewords.all(of: bytes, version: version))
        let candidates = mask.map { [$0] } ?? Array(0..<8)
        var best: (code: QRCode, penalty: Int)?
        for mask in candidates {
            let code = masked(by: mask)
            let penalty = code.penalty
            if penalty < best?.penalty ?? .max { best = (code, penalty) }
        }
        if let best { self = best.code }
    }

    /// The rows, in which `#` is dark.
    var rows: [String] {
        (0..<size).map { y in String((0..<size).map { x in self[x, y] ? "#" : "." }) }
    }

    /// Whether a module is dark.
    subscript(x: Int, y: Int) -> Bool { dark[y * size + x] }

    // MARK: Patterns

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        dark[y * size + x] = isDark
        reserved[y * size + x] = true
    }

    /// For each version, the rows and columns of the centers of alignment patterns. (Annex E.)
    private static let centers = [
        [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
    ]

    private mutating func drawPatterns() {
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawSquare(x, y, radius: 4) { $0 != 2 && $0 != 4 } }
        let centers = Self.centers[version - 1]
        for (row, y) in centers.enumerated() {
            for (column, x) in centers.enumerated() {
                let edges = [0, centers.count - 1]
                // Finder patterns are in three of the corners.
                guard !(edges.contains(row) && edges.contains(column)) || row + column == 2 * (centers.count - 1) else { continue }
                drawSquare(x, y, radius: 2) { $0 != 1 }
            }
        }
        drawFormat(mask: 0)
        drawVersion()
    }

    /// - Parameter isDark: returns whether the modules at a distance from the center are dark.
    private mutating func drawSquare(_ x: Int, _ y: Int, radius: Int, isDark: (Int) -> Bool) {
        for below in -radius...radius {
            for right in -radius...radius where (0..<size).contains(x + right) && (0..<size).contains(y + below) {
                set(x + right, y + below, isDark(max(abs(right), abs(below))))
            }
        }
    }

    /// The level M and the mask, with error correction bits. (Section 7.9.)
    static func formatBits(mask: Int) -> Int {
        var rest = mask
        for _ in 0..<10 { rest = (rest << 1) ^ ((rest >> 9) * 0x537) }
        return (mask << 10 | rest) ^ 0x5412
    }

    /// The version, with error correction bits. (Section 7.10.)
    static func versionBits(_ version: Int) -> Int {
        var rest = version
        for _ in 0..<12 { rest = (rest << 1) ^ ((rest >> 11) * 0x1F25) }
        return version << 12 | rest
    }

    private mutating func drawFormat(mask: Int) {
        let bits = Self.formatBits(mask: mask)
        for bit in 0..<15 {
            let isDark = bits >> bit & 1 == 1
            switch bit {
            case 0..<6: set(8, bit, isDark)
            case 6: set(8, 7, isDark)
            case 7: set(8, 8, isDark)
            case 8: set(7, 8, isDark)
            default: set(14 - bit, 8, isDark)
            }
            if bit < 8 { set(size - 1 - bit, 8, isDark) } else { set(8, size - 15 + bit, isDark) }
        }
        set(8, size - 8, true)
    }

    private mutating func drawVersion() {
        guard version >= 7 else { return }
        let bits = Self.versionBits(version)
        for bit in 0..<18 {
            let isDark = bits >> bit & 1 == 1
            let (near, far) = (bit / 3, size - 11 + bit % 3)
            set(near, far, isDark)
            set(far, near, isDark)
        }
    }

    // MARK: Data

    /// Places the bits in columns of two modules, upward and downward in turn, from the right. (Section 7.7.3.)
    private mutating func draw(_ codewords: [UInt8]) {
        var bit = 0
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = isUpward ? size - 1 - step : step
                for x in [right, right - 1] where !reserved[y * size + x] && bit < codewords.count * 8 {
                    dark[y * size + x] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
            right -= 2
        }
    }

    private func masked(by mask: Int) -> QRCode {
        var code = self
        for y in 0..<size {
            for x in 0..<size where !reserved[y * size + x] && Self.inverts(mask, x, y) { code.dark[y * size + x].toggle() }
        }
        code.drawFormat(mask: mask)
        return code
    }

    /// Returns whether a mask inverts a module. (Table 10.)
    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: (x * y) % 2 + (x * y) % 3 == 0
        case 6: ((x * y) % 2 + (x * y) % 3) % 2 == 0
        default: ((x + y) % 2 + (x * y) % 3) % 2 == 0
        }
    }

    /// How hard the symbol is to read: long runs, squares, rows like a finder pattern, and an uneven number of dark modules. (Section 7.8.3.)
    private var penalty: Int {
        let finder = [true, false, true, true, true, false, true, false, false, false, false]
        var sum = 0
        for index in 0..<size {
            for line in [(0..<size).map { self[$0, index] }, (0..<size).map { self[index, $0] }] {
                var run = 1
                for place in 1...size {
                    if place < size, line[place] == line[place - 1] {
                        run += 1
                    } else {
                        sum += run >= 5 ? run - 2 : 0
                        run = 1
                    }
                }
                for start in 0...(size - finder.count) {
                    let part = line[start..<start + finder.count]
                    if part.elementsEqual(finder) || part.reversed().elementsEqual(finder) { sum += 40 }
                }
            }
        }
        for y in 1..<size {
            for x in 1..<size where self[x, y] == self[x - 1, y] && self[x, y] == self[x, y - 1] && self[x, y] == self[x - 1, y - 1] {
                sum += 3
            }
        }
        let percent = dark.count { $0 } * 100 / dark.count
        return sum + abs(percent - 50) / 5 * 10
    }
}
