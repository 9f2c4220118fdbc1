/// The error correction of QR codes: remainders of polynomials over the field of 256 elements (ISO/IEC 18004, section 7.5).
struct ReedSolomon {
    private let divisor: [UInt8]

    /// - Parameter length: the number of error correction bytes of a block.
    init(length: Int) {
        var divisor = Array(repeating: UInt8(0), count: length - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<length {
            for index in divisor.indices {
                divisor[index] = Self.product(divisor[index], root)
                if index + 1 < length { divisor[index] ^= divisor[index + 1] }
            }
            root = Self.product(root, 2)
        }
        self.divisor = divisor
    }

    /// Returns the product in the field that x⁸ + x⁴ + x³ + x² + 1 defines.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11D
            if right >> UInt8(bit) & 1 == 1 { product ^= Int(left) }
        }
        return UInt8(product)
    }

    private func remainder(of data: ArraySlice<UInt8>) -> [UInt8] {
        var remainder = Array(repeating: UInt8(0), count: divisor.count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in divisor.indices { remainder[index] ^= Self.product(divisor[index], factor) }
        }
        return remainder
    }

    /// Returns data and error correction of all blocks, interleaved byte by byte.
    /// - Parameter total: the number of bytes of both together. If it is not divisible by `blocks`, the last blocks have one byte more.
    func interleaved(_ data: [UInt8], total: Int, blocks: Int) -> [UInt8] {
        let short = total / blocks - divisor.count
        let shortBlocks = blocks - total % blocks
        var parts: [ArraySlice<UInt8>] = []
        var rest = data[...]
        for block in 0..<blocks {
            let part = rest.prefix(short + (block < shortBlocks ? 0 : 1))
            parts.append(part)
            rest = rest[part.endIndex...]
        }
        let remainders = parts.map(remainder)
        var interleaved: [UInt8] = []
        for offset in 0...short {
            for part in parts where offset < part.count { interleaved.append(part[part.startIndex + offset]) }
        }
        for offset in divisor.indices {
            for remainder in remainders { interleaved.append(remainder[offset]) }
        }
        return interleaved
    }
}
