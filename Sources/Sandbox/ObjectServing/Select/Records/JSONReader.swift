import WireFormats

/// Finds consecutive JSON values, separated by white space or commas, in an object that arrives in chunks.
struct JSONReader: Sendable {
    /// The maximum size of one value in bytes: of a line, or of the whole document.
    let longest: Int
    private var buffer: [UInt8] = []
    private var start = 0
    /// The scan position in the current value, and its nesting state there.
    private var (place, depth, isInText, isEscaped) = (0, 0, false, false)
    /// The number of bytes before the buffer.
    private var passed: Int64 = 0
    /// Whether to skip the rest of the current line.
    private var isCutOff: Bool

    /// The position of the most recent value in the object.
    private(set) var beginning: Int64 = 0

    /// Creates a reader.
    /// - Parameters:
    ///   - longest: the maximum size of one value in bytes.
    ///   - isCutOff: whether the first bytes are the end of a line, which is skipped.
    init(longest: Int, isCutOff: Bool = false) {
        self.longest = longest
        self.isCutOff = isCutOff
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(start)
        passed += Int64(start)
        place -= start
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next complete value; `nil` if more bytes are required, or at the end.
    mutating func next(isLast: Bool) throws(SelectRefusal) -> JSONNode? {
        if isCutOff {
            guard let end = buffer[start...].firstIndex(of: 0x0A) else {
                start = buffer.count
                return nil
            }
            start = end + 1
            isCutOff = false
        }
        if depth == 0 {
            while start < buffer.count, [0x20, 0x09, 0x0A, 0x0D, 0x2C].contains(buffer[start]) { start += 1 }
            place = start
            guard start < buffer.count else { return nil }
            beginning = passed + Int64(start)
            guard buffer[start] == UInt8(ascii: "{") || buffer[start] == UInt8(ascii: "[") else {
                throw SelectRefusal(.invalidJSONData, "The object contains something other than JSON objects.")
            }
        }
        while place < buffer.count {
            let byte = buffer[place]
            place += 1
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                guard depth == 0 else { continue }
                guard place - start <= longest else { throw tooLong }
                let node = try JSONNode(parsing: buffer[start..<place])
                start = place
                return node
            default: break
            }
        }
        guard buffer.count - start <= longest else { throw tooLong }
        guard !isLast else { throw SelectRefusal(.invalidJSONData, "The object ends within a value.") }
        return nil
    }

    private var tooLong: SelectRefusal { SelectRefusal(.invalidJSONData, "A value is longer than \(longest) bytes.", .recordTooLong) }
}
