extension JSONValue {
    /// The document as text; see ``serializedBytes(pretty:)``.
    package func serialized(pretty: Bool = false) -> String {
        String(decoding: serializedBytes(pretty: pretty), as: UTF8.self)
    }

    /// The document as UTF-8: compact, or with one member a line and two spaces per level. Members keep their order, `/` and non-ASCII
    /// stand as they are. A number that JSON cannot spell (infinite or not a number) becomes `null`.
    package func serializedBytes(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(isPretty: pretty)
        writer.write(self)
        return writer.bytes
    }
}

/// Collects the UTF-8 of one document.
private struct JSONWriter {
    var bytes: [UInt8] = []
    private let isPretty: Bool
    private var level = 0

    init(isPretty: Bool) {
        self.isPretty = isPretty
        bytes.reserveCapacity(1024)
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .integer(let integer): bytes += String(integer).utf8
        case .number(let number): bytes += (number.isFinite ? number.description : "null").utf8
        case .string(let text): write(text)
        case .array(let elements):
            open("[")
            for (index, element) in elements.enumerated() {
                separate(isFirst: index == 0)
                write(element)
            }
            close("]", isEmpty: elements.isEmpty)
        case .object(let object):
            open("{")
            var isFirst = true
            object.forEachMember { name, value in
                separate(isFirst: isFirst)
                isFirst = false
                write(name)
                bytes.append(UInt8(ascii: ":"))
                if isPretty { bytes.append(UInt8(ascii: " ")) }
                write(value)
            }
            close("}", isEmpty: object.isEmpty)
        }
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        level += 1
    }

    private mutating func separate(isFirst: Bool) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        startLine()
    }

    private mutating func close(_ bracket: Unicode.Scalar, isEmpty: Bool) {
        level -= 1
        if !isEmpty { startLine() }
        bytes.append(UInt8(ascii: bracket))
    }

    private mutating func startLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            var position = 0
            while position < text.count {
                // Run by run: most texts hold nothing to escape.
                let run = position
                position = Self.firstEscaped(in: text, from: position)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<position]))
                guard position < text.count else { break }
                writeEscape(text[position])
                position += 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Where the next byte stands that cannot stand as it is, or the end. Eight bytes at a time: tokens are long and hold none.
    private static func firstEscaped(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let bytes = UnsafeRawBufferPointer(text)
        var position = start
        while position + 8 <= bytes.count, !holdsEscaped(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) { position += 8 }
        while position < text.count, !isEscaped(text[position]) { position += 1 }
        return position
    }

    /// Whether one of eight bytes is a control character, a quotation mark or a backslash: a byte below a bound borrows from its highest
    /// bit when the bound is taken away from it. (Warren, Hacker's Delight, section 6-1.)
    @inline(__always)
    private static func holdsEscaped(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotation = word ^ ones &* 0x22
        let backslash = word ^ ones &* 0x5C
        let found = (word &- ones &* 0x20) & ~word | (quotation &- ones) & ~quotation | (backslash &- ones) & ~backslash
        return found & (ones &* 0x80) != 0
    }

    @inline(__always)
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func writeEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes += #"\""#.utf8
        case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
        case 0x08: bytes += #"\b"#.utf8
        case 0x0C: bytes += #"\f"#.utf8
        case 0x0A: bytes += #"\n"#.utf8
        case 0x0D: bytes += #"\r"#.utf8
        case 0x09: bytes += #"\t"#.utf8
        default:
            bytes += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
            bytes += String(byte, radix: 16).utf8
        }
    }
}
