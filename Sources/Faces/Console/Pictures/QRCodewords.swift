/// The codewords of a QR code: the data, and the Reed–Solomon codewords by which a reader corrects errors.
/// (ISO/IEC 18004:2015 sections 7.4 to 7.6.)
enum QRCodewords {
    /// For each version at error correction level M: the error correction codewords of a block, and the data codewords of each block. (Table 9.)
    private static let blocks: [(correction: Int, data: [Int])] = [
        (10, [16]), (16, [28]), (26, [44]), (18, [32, 32]), (24, [43, 43]), (16, [27, 27, 27, 27]), (18, [31, 31, 31, 31]),
        (22, [38, 38, 39, 39]), (22, [36, 36, 36, 37, 37]), (26, [43, 43, 43, 43, 44]),
    ]

    /// The versions that are supported.
    static let versions = 1...10

    /// Returns the most bytes of a text.
    static func capacity(_ version: Int) -> Int {
        blocks[version - 1].data.reduce(0, +) - (version < 10 ? 2 : 3)
    }

    /// Returns the smallest version for a number of bytes; `nil` if none is large enough.
    static func version(for count: Int) -> Int? { versions.first { capacity($0) >= count } }

    /// Returns the codewords in the order of the symbol.
    /// - Parameter bytes: at most ``capacity(_:)``.
    static func all(of bytes: [UInt8], version: Int) -> [UInt8] {
        let (correction, lengths) = blocks[version - 1]
        let words = data(bytes, version: version, count: lengths.reduce(0, +))
        var parts: [[UInt8]] = []
        var start = 0
        for length in lengths {
            parts.append(Array(words[start..<start + length]))
            start += length
        }
        let divisor = generator(degree: correction)
        let corrections = parts.map { remainder(of: $0, by: divisor) }
        var all: [UInt8] = []
        for index in 0..<(lengths.max() ?? 0) {
            for part in parts where index < part.count { all.append(part[index]) }
        }
        for index in 0..<correction {
            for part in corrections { all.append(part[index]) }
        }
        return all
    }

    /// The mode, the length, the bytes and the padding. (Sections 7.4.5, 7.4.9 and 7.4.10.)
    private static func data(_ bytes: [UInt8], version: Int, count: Int) -> [UInt8] {
        var bits: [UInt8] = []
        func append(_ value: Int, width: Int) {
            for bit in stride(from: width - 1, through: 0, by: -1) { bits.append(UInt8(value >> bit & 1)) }
        }
        append(0b0100, width: 4)
        append(bytes.count, width: version < 10 ? 8 : 16)
        for byte in bytes { append(Int(byte), width: 8) }
        append(0, width: min(4, count * 8 - bits.count))
        while bits.count % 8 != 0 { bits.append(0) }
        var words = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | $1 }
        }
        var padding: UInt8 = 0xEC
        while words.count < count {
            words.append(padding)
            padding ^= 0xEC ^ 0x11
        }
        return words
    }

    // MARK: Reed–Solomon codes over GF(256) with x^8 + x^4 + x^3 + x^2 + 1

    /// Returns the coefficients of the generator polynomial without the first one, which is 1. (Annex A.)
    static func generator(degree: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                result[index] = product(result[index], root)
                if index + 1 < degree { result[index] ^= result[index + 1] }
            }
            root = product(root, 2)
        }
        return result
    }

    /// Returns the error correction codewords of a block.
    static func remainder(of data: [UInt8], by divisor: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ result.removeFirst()
            result.append(0)
            for index in divisor.indices { result[index] ^= product(divisor[index], factor) }
        }
        return result
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result = 0
        for bit in stride(from: 7, through: 0, by: -1) {
            result = (result << 1) ^ ((result >> 7) * 0x11D)
            result ^= (Int(right) >> bit & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: result)
    }
}
