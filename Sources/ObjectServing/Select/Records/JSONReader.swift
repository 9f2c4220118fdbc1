import WireFormats

/// Finds the objects of JSON that stand one behind the other, with white space or commas between them; their bytes come piece by piece.
struct JSONReader: Sendable {
    /// Bytes of one value: of a line, or of the whole document.
    let longest: Int
    private var buffer: [UInt8] = []
    private var start = 0
    /// How far the value has been looked through, and what is open there.
    private var (place, depth, isInText, isEscaped) = (0, 0, false, false)
    /// Bytes before what is kept.
    private var passed: Int64 = 0
    /// Whether bytes are passed over up to the end of a line.
    private var isCutOff: Bool

    /// Where the last value begins that was begun.
    private(set) var beginning: Int64 = 0

    /// - Parameter isCutOff: whether what comes first is the end of a line, to be passed over.
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

    /// The next whole value; `nil` if more has to come first, or nothing is left.
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
                throw SelectRefusal(.invalidJSONData, "The object holds something else than objects of JSON.")
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
                let node = try JSONNode(parsing: buffer[start..<place])
                start = place
                return node
            default: break
            }
        }
        guard buffer.count - start <= longest else {
            throw SelectRefusal(.invalidJSONData, "A value is longer than \(longest) bytes.")
        }
        guard !isLast else { throw SelectRefusal(.invalidJSONData, "The object ends within a value.") }
        return nil
    }
}
