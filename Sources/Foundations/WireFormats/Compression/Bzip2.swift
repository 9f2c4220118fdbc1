// Decompression of bzip2. The format has no specification; the reference is bzip2 1.0.8 by Julian Seward.

extension [UInt8] {
    /// Decompresses bzip2 data, one stream or several in succession. Returns `nil` for anything else.
    /// - Parameter limit: the maximum size of the result in bytes, because a few bytes can decompress to very many. If it is exceeded, the
    ///   result is `nil`.
    package func bunzipped(upTo limit: Int) -> [UInt8]? {
        var stream = BunzipStream()
        stream.append(self, isLast: true)
        var output: [UInt8] = []
        guard stream.decompress(into: &output, upTo: limit + 1), stream.isAtEnd, output.count <= limit else { return nil }
        return output
    }
}

/// Decompresses bzip2 data that arrives in pieces, one stream or several in succession.
package struct BunzipStream: Sendable {
    private var reader = BitReader()
    /// The current stream; `nil` before its header.
    private var stream: Bzip2Stream?
    private var block: Bzip2Block?
    /// The checksum of the stream's blocks so far.
    private var combined: UInt32 = 0
    private var hasStream = false
    private var isLast = false
    /// The number of buffered bytes at which an incomplete block is read again, so that it is not read for each piece.
    private var threshold = 0
    /// Whether the data is complete and its checksums are correct.
    package private(set) var isAtEnd = false

    package init() {}

    /// Adds compressed bytes.
    /// - Parameter isLast: whether these are the last bytes.
    package mutating func append(_ bytes: [UInt8], isLast: Bool) {
        reader.append(bytes)
        self.isLast = isLast
    }

    /// Decompresses appended bytes and adds them to `output`. Returns when it has `limit` bytes or the appended bytes are used up.
    /// - Returns: `false` for invalid data.
    package mutating func decompress(into output: inout [UInt8], upTo limit: Int) -> Bool {
        while output.count < limit, !isAtEnd {
            if block != nil {
                guard writeBlock(into: &output, upTo: limit) else { return false }
                continue
            }
            if !isLast, reader.count < threshold { return true }
            if stream == nil, reader.isAtEnd {
                isAtEnd = isLast && hasStream
                return isAtEnd || !isLast
            }
            let start = reader
            guard readNext() else {
                guard !isLast, reader.hasRunOut else { return false }
                reader = start
                threshold = 2 * reader.count
                return true
            }
            threshold = 0
        }
        return true
    }

    /// Reads the header of a stream, its end, or a block.
    private mutating func readNext() -> Bool {
        guard let current = stream else {
            stream = Bzip2Stream(&reader)
            combined = 0
            return stream != nil
        }
        guard let mark = reader.next(48) else { return false }
        if mark == Bzip2Stream.endMark {
            guard reader.next(32) == UInt64(combined) else { return false }
            reader.align()
            (stream, hasStream) = (nil, true)
            return true
        }
        guard mark == Bzip2Stream.blockMark else { return false }
        block = current.readBlock(&reader)
        return block != nil
    }

    /// Writes the current block, or as much of it as fits.
    private mutating func writeBlock(into output: inout [UInt8], upTo limit: Int) -> Bool {
        // Moved out, so that its tables are not copied.
        guard var current = block else { return true }
        block = nil
        current.write(into: &output, upTo: limit)
        guard current.isAtEnd else {
            block = current
            return true
        }
        guard current.hasRightChecksum else { return false }
        combined = (combined << 1 | combined >> 31) ^ current.checksum
        return true
    }
}

/// Reads bits from bytes, the highest bit of each byte first.
private struct BitReader: Sendable {
    private var bytes: [UInt8] = []
    private var place = 0
    private var (buffer, width): (UInt64, Int) = (0, 0)
    /// Whether more bits were requested than there are.
    private(set) var hasRunOut = false

    /// The number of bytes that have not been read.
    var count: Int { bytes.count - place }

    var isAtEnd: Bool { count == 0 && width == 0 }

    mutating func append(_ more: [UInt8]) {
        bytes.removeFirst(place)
        place = 0
        bytes += more
        hasRunOut = false
    }

    /// Returns the next `count` bits, at most 48.
    mutating func next(_ count: Int) -> UInt64? {
        while width < count {
            guard place < bytes.count else {
                hasRunOut = true
                return nil
            }
            buffer = buffer << 8 | UInt64(bytes[place])
            place += 1
            width += 8
        }
        width -= count
        let value = buffer >> UInt64(width)
        buffer &= (1 << UInt64(width)) - 1
        return value
    }

    mutating func isSet() -> Bool? { next(1).map { $0 == 1 } }

    /// Skips the rest of the current byte.
    mutating func align() { _ = next(width % 8) }
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
private struct Bzip2Stream: Sendable {
    static let (blockMark, endMark): (UInt64, UInt64) = (0x3141_5926_5359, 0x1772_4538_5090)

    /// The size of a block in bytes, before the final run-length coding is undone.
    private let blockSize: Int

    init?(_ reader: inout BitReader) {
        guard reader.next(24) == 0x425A68, let level = reader.next(8), 0x31...0x39 ~= level else { return nil }
        blockSize = Int(level - 0x30) * 100_000
    }

    /// Reads a block after its mark; `nil` if it is invalid or incomplete.
    func readBlock(_ reader: inout BitReader) -> Bzip2Block? {
        guard let checksum = reader.next(32), reader.next(1) == 0, let origin = reader.next(24), let (bytes, counts) = readColumn(&reader)
        else { return nil }
        return Bzip2Block(bytes, counts, from: Int(origin), checksum: UInt32(checksum))
    }

    /// Returns the last column of a block's sorted rotations, and how often each byte occurs in it.
    private func readColumn(_ reader: inout BitReader) -> (bytes: [UInt8], counts: [Int])? {
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
}

/// A block whose bytes are written in pieces.
private struct Bzip2Block: Sendable {
    let checksum: UInt32
    private var computed = Bzip2Checksum()
    /// The last column of the sorted rotations.
    private let column: [UInt8]
    /// The place of the next byte, for each place.
    private let next: [UInt32]
    private var (place, left) = (0, 0)
    private var (previous, same) = (-1, 0)
    /// The rest of a run that did not fit.
    private var run = 0

    /// - Returns: `nil` for an invalid origin.
    init?(_ column: [UInt8], _ counts: [Int], from origin: Int, checksum: UInt32) {
        guard origin < column.count || column.isEmpty else { return nil }
        self.checksum = checksum
        self.column = column
        var (sum, places) = (0, [Int](repeating: 0, count: 256))
        for byte in 0..<256 { (places[byte], sum) = (sum, sum + counts[byte]) }
        var next = [UInt32](repeating: 0, count: column.count)
        for (index, byte) in column.enumerated() {
            next[places[Int(byte)]] = UInt32(index)
            places[Int(byte)] += 1
        }
        self.next = next
        left = column.count
        if !column.isEmpty { place = Int(next[origin]) }
    }

    var isAtEnd: Bool { left == 0 && run == 0 }

    var hasRightChecksum: Bool { computed.value == checksum }

    /// Undoes the sorting of rotations and the encoding of runs of more than three bytes.
    mutating func write(into output: inout [UInt8], upTo limit: Int) {
        let start = output.count
        while output.count < limit, !isAtEnd {
            if run > 0 {
                let count = min(run, limit - output.count)
                output += repeatElement(UInt8(previous), count: count)
                run -= count
                if run == 0 { (previous, same) = (-1, 0) }
                continue
            }
            let byte = column[place]
            place = Int(next[place])
            left -= 1
            if same == 4 {
                run = Int(byte)
                if run == 0 { (previous, same) = (-1, 0) }
                continue
            }
            same = Int(byte) == previous ? same + 1 : 1
            previous = Int(byte)
            output.append(byte)
        }
        computed.update(output[start...])
    }
}

/// The CRC-32 that bzip2 uses: the polynomial of ISO 3309, the highest bit first.
private struct Bzip2Checksum: Sendable {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { value, _ in value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7 }
    }

    private var state = UInt32.max

    var value: UInt32 { ~state }

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        state = bytes.reduce(state) { value, byte in value << 8 ^ Self.table[Int(value >> 24 ^ UInt32(byte))] }
    }
}
