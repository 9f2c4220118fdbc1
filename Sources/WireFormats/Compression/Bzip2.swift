// Decompression of bzip2. The format has no specification; the reference is bzip2 1.0.8 by Julian Seward.

extension [UInt8] {
    /// Decompresses bzip2 data, one stream or several in succession. Returns `nil` for anything else.
    /// - Parameter limit: the maximum size of the result in bytes, because a few bytes can decompress to very many. If it is exceeded, the
    ///   result is `nil`.
    package func bunzipped(upTo limit: Int) -> [UInt8]? {
        var reader = BitReader(bytes: self)
        var output: [UInt8] = []
        repeat {
            guard let stream = Bzip2Stream(&reader), stream.expand(&reader, into: &output, upTo: limit) else { return nil }
            reader.align()
        } while !reader.isAtEnd
        return output
    }
}

/// Reads bits from bytes, the highest bit of each byte first.
private struct BitReader {
    let bytes: [UInt8]
    private var place = 0
    private var (buffer, count): (UInt64, Int) = (0, 0)

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count && count == 0 }

    /// Returns the next `width` bits, at most 48.
    mutating func next(_ width: Int) -> UInt64? {
        while count < width {
            guard place < bytes.count else { return nil }
            buffer = buffer << 8 | UInt64(bytes[place])
            place += 1
            count += 8
        }
        count -= width
        let value = buffer >> UInt64(count)
        buffer &= (1 << UInt64(count)) - 1
        return value
    }

    mutating func isSet() -> Bool? { next(1).map { $0 == 1 } }

    /// Skips the rest of the current byte.
    mutating func align() { _ = next(count % 8) }
}

/// A Huffman code, with its symbols in the order of their codes.
private struct HuffmanCode {
    private static let longest = 20

    /// For each code length: the first code, the number of codes, and the index of their first symbol.
    private var lengths: [(first: Int, count: Int, place: Int)] = []
    private var symbols: [Int] = []

    init?(lengths: [Int]) {
        guard lengths.allSatisfy({ 1...Self.longest ~= $0 }) else { return nil }
        var code = 0
        for length in 1...Self.longest {
            code <<= 1
            let found = lengths.indices.filter { lengths[$0] == length }
            self.lengths.append((first: code, count: found.count, place: symbols.count))
            symbols += found
            code += found.count
            guard code <= 1 << length else { return nil }
        }
    }

    func symbol(_ reader: inout BitReader) -> Int? {
        var code = 0
        for (first, count, place) in lengths {
            guard let bit = reader.next(1) else { return nil }
            code = code << 1 | Int(bit)
            if code - first < count { return code >= first ? symbols[place + code - first] : nil }
        }
        return nil
    }
}

/// The header of one stream.
private struct Bzip2Stream {
    private static let (blockMark, endMark): (UInt64, UInt64) = (0x3141_5926_5359, 0x1772_4538_5090)

    /// The size of a block in bytes, before the final run-length coding is undone.
    private let blockSize: Int

    init?(_ reader: inout BitReader) {
        guard reader.next(24) == 0x425A68, let level = reader.next(8), 0x31...0x39 ~= level else { return nil }
        blockSize = Int(level - 0x30) * 100_000
    }

    /// Decompresses the stream's blocks into `output`.
    /// - Returns: whether the stream is complete and its checksums are correct.
    func expand(_ reader: inout BitReader, into output: inout [UInt8], upTo limit: Int) -> Bool {
        var combined: UInt32 = 0
        while let mark = reader.next(48) {
            if mark == Self.endMark { return reader.next(32) == UInt64(combined) }
            guard mark == Self.blockMark, let checksum = reader.next(32), reader.next(1) == 0, let origin = reader.next(24),
                let (block, counts) = readBlock(&reader)
            else { return false }
            let start = output.count
            guard Self.write(block, counts, from: Int(origin), into: &output, upTo: limit),
                Bzip2Checksum.value(of: output[start...]) == UInt32(checksum)
            else { return false }
            combined = (combined << 1 | combined >> 31) ^ UInt32(checksum)
        }
        return false
    }

    /// Returns the last column of a block's sorted rotations, and how often each byte occurs in it.
    private func readBlock(_ reader: inout BitReader) -> (bytes: [UInt8], counts: [Int])? {
        guard let used = reader.next(16) else { return nil }
        var alphabet: [UInt8] = []
        for group in 0..<16 where used >> UInt64(15 - group) & 1 == 1 {
            guard let members = reader.next(16) else { return nil }
            for member in 0..<16 where members >> UInt64(15 - member) & 1 == 1 { alphabet.append(UInt8(group * 16 + member)) }
        }
        guard !alphabet.isEmpty, let codes = Self.codes(&reader, symbols: alphabet.count + 2) else { return nil }
        var (bytes, counts): ([UInt8], [Int]) = ([], [Int](repeating: 0, count: 256))
        var (run, weight, read) = (0, 1, 0)
        while true {
            guard read / 50 < codes.selectors.count, let symbol = codes.tables[codes.selectors[read / 50]].symbol(&reader) else {
                return nil
            }
            read += 1
            if symbol < 2 {
                // A run's length is written in digits of 1 and 2, lowest first.
                run += weight << symbol
                weight <<= 1
                guard run <= blockSize else { return nil }
                continue
            }
            guard bytes.count + run < blockSize + 1 else { return nil }
            bytes += repeatElement(alphabet[0], count: run)
            counts[Int(alphabet[0])] += run
            (run, weight) = (0, 1)
            if symbol == alphabet.count + 1 { return (bytes, counts) }
            let byte = alphabet.remove(at: symbol - 1)
            alphabet.insert(byte, at: 0)
            bytes.append(byte)
            counts[Int(byte)] += 1
        }
    }

    private static func codes(_ reader: inout BitReader, symbols: Int) -> (tables: [HuffmanCode], selectors: [Int])? {
        guard let groups = reader.next(3).map({ Int($0) }), 2...6 ~= groups, let count = reader.next(15), count > 0 else { return nil }
        var recent = Array(0..<groups)
        var selectors: [Int] = []
        for _ in 0..<count {
            var place = 0
            while let isSet = reader.isSet(), isSet { place += 1 }
            guard place < groups else { return nil }
            recent.insert(recent.remove(at: place), at: 0)
            selectors.append(recent[0])
        }
        var tables: [HuffmanCode] = []
        for _ in 0..<groups {
            guard var length = reader.next(5).map({ Int($0) }) else { return nil }
            var lengths: [Int] = []
            for _ in 0..<symbols {
                while let changes = reader.isSet(), changes {
                    guard let falls = reader.isSet(), 1...20 ~= length else { return nil }
                    length += falls ? -1 : 1
                }
                lengths.append(length)
            }
            guard let table = HuffmanCode(lengths: lengths) else { return nil }
            tables.append(table)
        }
        return (tables, selectors)
    }

    /// Undoes the sorting of rotations and the encoding of runs of more than three bytes.
    private static func write(_ block: [UInt8], _ counts: [Int], from origin: Int, into output: inout [UInt8], upTo limit: Int) -> Bool {
        guard origin < block.count else { return block.isEmpty }
        var (sum, places) = (0, [Int](repeating: 0, count: 256))
        for byte in 0..<256 { (places[byte], sum) = (sum, sum + counts[byte]) }
        var next = [UInt32](repeating: 0, count: block.count)
        for (index, byte) in block.enumerated() {
            next[places[Int(byte)]] = UInt32(index)
            places[Int(byte)] += 1
        }
        var (place, previous, same) = (Int(next[origin]), -1, 0)
        for _ in block {
            let byte = block[place]
            place = Int(next[place])
            if same == 4 {
                guard output.count + Int(byte) <= limit else { return false }
                output += repeatElement(UInt8(previous), count: Int(byte))
                (previous, same) = (-1, 0)
                continue
            }
            same = Int(byte) == previous ? same + 1 : 1
            previous = Int(byte)
            guard output.count < limit else { return false }
            output.append(byte)
        }
        return true
    }
}

/// The CRC-32 that bzip2 uses: the polynomial of ISO 3309, the highest bit first.
private enum Bzip2Checksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { value, _ in value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7 }
    }

    static func value(of bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { value, byte in value << 8 ^ table[Int(value >> 24 ^ UInt32(byte))] }
    }
}
