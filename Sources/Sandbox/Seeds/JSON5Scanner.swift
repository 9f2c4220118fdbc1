import WireFormats

/// Scans a JSON5 document for what the decoder does not report: the position of a syntax error, duplicate keys, and the position of each
/// value. (JSON5 Data Interchange Format 1.0.0.)
struct JSON5Scanner {
    /// A syntax error: its position, counted from 1, and what is expected there.
    struct Fault: Error, Equatable {
        var line: Int
        /// The column, in Unicode characters.
        var column: Int
        var expected: String
    }

    private static let deepest = 256
    /// The maximum number of duplicate keys that are kept with their positions. Further ones are only counted.
    private static let mostDuplicates = SeedFaultCollector.limit

    /// The position of a value and of its key.
    struct Place {
        var key: Int
        var value: Int
        /// A short description of the value, for messages.
        var found: String
        /// The text, if the value is a string.
        var text: String?
    }

    private let bytes: [UInt8]
    private var index = 0
    /// The positions; `nil` if they are not recorded.
    private var positions: TextPositions?
    private var places: [PlaceKey: Place] = [:]
    /// The names and indices of the path to the current value, if positions are recorded.
    private var path: [String] = []
    /// The first duplicate keys, if positions are recorded.
    private(set) var duplicates: [(path: String, fault: Fault)] = []
    private(set) var countOfDuplicates = 0
    /// Replacements for JSON5 syntax that the decoder of the standard library does not support.
    private var rewrites: [(range: Range<Int>, text: [UInt8])] = []

    /// The document in a form that the decoder of the standard library can read. Its positions differ from those of the original.
    var readable: [UInt8] {
        guard !rewrites.isEmpty else { return bytes }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 8 * rewrites.count)
        var end = 0
        for rewrite in rewrites {
            text += bytes[end..<rewrite.range.lowerBound]
            text += rewrite.text
            end = rewrite.range.upperBound
        }
        return text + bytes[end...]
    }

    /// Checks a document, and returns it in a form that the decoder of the standard library can read.
    /// - Throws: `Fault` for the first syntax error.
    static func check(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
        var scanner = JSON5Scanner(bytes: bytes)
        try scanner.scan()
        return scanner.readable
    }

    /// Scans a document and records positions.
    /// - Throws: `Fault` for the first syntax error.
    init(recording bytes: [UInt8]) throws(Fault) {
        self.bytes = bytes
        positions = TextPositions(of: bytes)
        try scan()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func scan() throws(Fault) {
        if let bad = JSON5Text.indexOfBadByte(bytes) { throw fault("text in UTF-8", at: bad) }
        try skipSpace()
        try skipValue(depth: 0, place: PlaceKey(), key: index)
        try skipSpace()
        guard index == bytes.count else { throw fault("the end of the document") }
    }

    /// Returns the line and column of a byte position, counted from 1.
    func position(of place: Int) -> (line: Int, column: Int) { (positions ?? TextPositions(of: bytes))[place] }

    /// Returns the value at a path such as `accounts[0].name`, or the innermost existing one that contains it.
    func place(at path: String) -> (place: Place, isThere: Bool)? {
        if let place = places[PlaceKey(path)] { return (place, true) }
        for key in PlaceKey.enclosing(path).reversed() {
            if let place = places[key] { return (place, false) }
        }
        return nil
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func fault(_ expected: String, at place: Int? = nil) -> Fault {
        let (line, column) = position(of: place ?? index)
        return Fault(line: line, column: column, expected: expected)
    }

    private mutating func skip(_ byte: Character) -> Bool {
        guard next == byte.asciiValue else { return false }
        index += 1
        return true
    }

    /// Skips white space and comments.
    private mutating func skipSpace() throws(Fault) {
        while index < bytes.count {
            let length = JSON5Text.lengthOfSpace(bytes, at: index)
            if length > 0 {
                if length > 1 { rewrites.append((index..<index + length, [0x20])) }
                index += length
            } else if bytes[index...].starts(with: "//".utf8) {
                let start = index
                while index < bytes.count, !JSON5Text.endsLine(bytes, at: index) { index += 1 }
                rewrites.append((start..<index, []))
            } else if bytes[index...].starts(with: "/*".utf8) {
                let start = index
                index += 2
                while !bytes[index...].starts(with: "*/".utf8) {
                    guard next != nil else { throw fault("a comment that ends with */", at: start) }
                    index += 1
                }
                index += 2
            } else {
                return
            }
        }
    }

    private mutating func record(_ start: Int, key: Int, at place: PlaceKey, _ found: String, text: String? = nil) {
        guard positions != nil else { return }
        places[place] = Place(key: key, value: start, found: found, text: text)
    }

    private mutating func skipValue(depth: Int, place: PlaceKey, key: Int) throws(Fault) {
        guard depth < Self.deepest else { throw fault("at most \(Self.deepest) levels") }
        let start = index
        if skip("{") {
            record(start, key: key, at: place, "an object")
            try skipMembers(depth: depth, place: place)
        } else if skip("[") {
            record(start, key: key, at: place, "a list")
            try skipElements(depth: depth, place: place)
        } else if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
            let range = try skipString()
            guard positions != nil else { return }
            let text = String(decoding: bytes[range], as: UTF8.self)
            record(start, key: key, at: place, range.count <= 320 && text.count <= 80 ? "'\(text)'" : "this text", text: text)
        } else {
            let word = skipWord()
            guard ["true", "false", "null"].contains(word) || JSON5Text.isNumber(word) else { throw fault("a value", at: start) }
            record(start, key: key, at: place, word)
        }
    }

    private mutating func skipMembers(depth: Int, place: PlaceKey) throws(Fault) {
        var names: Set<String> = []
        while true {
            try skipSpace()
            if skip("}") { return }
            let start = index
            let name = try skipName()
            // Keys of positions are built only if positions are recorded.
            var member = positions == nil ? place : place.member(name)
            if !names.insert(name).inserted {
                guard positions != nil else { throw duplicate(name, at: start) }
                countOfDuplicates += 1
                if duplicates.count < Self.mostDuplicates {
                    let path = (path + [path.isEmpty ? name : ".\(name)"]).joined()
                    duplicates.append((path, duplicate(name, at: start)))
                }
                member.add(" (again)")
            }
            try skipSpace()
            guard skip(":") else { throw fault("a colon after the name") }
            try skipSpace()
            if positions != nil { path.append(path.isEmpty ? name : ".\(name)") }
            try skipValue(depth: depth + 1, place: member, key: start)
            if positions != nil { path.removeLast() }
            try skipSpace()
            if !skip(",") {
                guard skip("}") else { throw fault("a comma or }") }
                return
            }
        }
    }

    private func duplicate(_ name: String, at start: Int) -> Fault {
        fault("a name that the object has once, not '\(name)' again", at: start)
    }

    private mutating func skipElements(depth: Int, place: PlaceKey) throws(Fault) {
        var count = 0
        while true {
            try skipSpace()
            if skip("]") { return }
            if positions != nil { path.append("[\(count)]") }
            try skipValue(depth: depth + 1, place: positions == nil ? place : place.element(count), key: index)
            if positions != nil { path.removeLast() }
            count += 1
            try skipSpace()
            if !skip(",") {
                guard skip("]") else { throw fault("a comma or ]") }
                return
            }
        }
    }

    /// Returns the name without its escapes.
    private mutating func skipName() throws(Fault) -> String {
        let start = index
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return JSON5Text.unescaped(bytes[try skipString()]) }
        let word = skipWord()
        guard let first = word.utf8.first, !(0x30...0x39).contains(first), !"+-.".utf8.contains(first) else {
            throw fault("a name or }", at: start)
        }
        guard word.utf8.contains(UInt8(ascii: "\\")) else { return word }
        let end = index
        index = start
        while index < end {
            guard next == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            // This is the only escape that names can have. (Section 3.)
            guard bytes[(index + 1)...].first == UInt8(ascii: "u") else { throw fault("\\u and four hexadecimal digits") }
            try skipEscape()
        }
        rewrites.append((start..<start, [UInt8(ascii: "\"")]))
        rewrites.append((end..<end, [UInt8(ascii: "\"")]))
        return JSON5Text.unescaped(bytes[start..<end])
    }

    /// Returns the range of the text between the quotes.
    private mutating func skipString() throws(Fault) -> Range<Int> {
        let start = index
        let quote = bytes[index]
        index += 1
        while let byte = next, byte != quote {
            switch byte {
            case 0x0A, 0x0D: throw fault("a string that ends on its line", at: start)
            case 0..<0x20:
                rewrites.append((index..<index + 1, Self.escape(byte)))
                index += 1
            case UInt8(ascii: "\\"):
                guard index + 1 < bytes.count else { throw fault("a string that ends on its line", at: start) }
                try skipEscape()
            default: index += 1
            }
        }
        guard next == quote else { throw fault("a string that ends on its line", at: start) }
        defer { index += 1 }
        return start + 1..<index
    }

    /// Skips a backslash and the characters that it escapes. (Section 5.1.)
    private mutating func skipEscape() throws(Fault) {
        let start = index
        func isHexadecimal(_ count: Int) -> Bool {
            let digits = bytes[(start + 2)...].prefix(count)
            return digits.count == count && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        }
        let escaped = bytes[start + 1]
        switch escaped {
        case UInt8(ascii: "u"):
            guard isHexadecimal(4) else { throw fault("\\u and four hexadecimal digits") }
            index += 6
        case UInt8(ascii: "x"):
            guard isHexadecimal(2) else { throw fault("\\x and two hexadecimal digits") }
            index += 4
        case UInt8(ascii: "1")...UInt8(ascii: "9"): throw fault("no digit after a backslash")
        case UInt8(ascii: "0"):
            let isLonger = bytes[(start + 2)...].first.map { 0x30...0x39 ~= $0 } ?? false
            guard !isLonger else { throw fault("no digit after \\0") }
            index += 2
            rewrites.append((start..<index, Self.escape(0)))
        case UInt8(ascii: "v"):
            index += 2
            rewrites.append((start..<index, Self.escape(0x0B)))
        case _ where JSON5Text.endsLine(bytes, at: start + 1):
            // The string continues on the next line; the line terminator is removed.
            let isPair = escaped == 0x0D && bytes[(start + 2)...].first == 0x0A
            index += escaped == 0xE2 ? 4 : isPair ? 3 : 2
            rewrites.append((start..<index, []))
        case _ where "\"'\\/bfnrt".utf8.contains(escaped): index += 2
        default:
            // Every other escaped character represents itself.
            rewrites.append((start..<start + 1, []))
            index += 1
        }
    }

    /// Returns the escape sequence of a control character that the decoder of the standard library supports.
    private static func escape(_ byte: UInt8) -> [UInt8] { Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8) }

    /// Skips letters, digits and the other characters of names and numbers.
    private mutating func skipWord() -> String {
        let start = index
        while let byte = next {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: index += 1
            case 0x80... where JSON5Text.lengthOfSpace(bytes, at: index) == 0: index += 1
            default:
                guard "_$+-.\\".utf8.contains(byte) else { return String(decoding: bytes[start..<index], as: UTF8.self) }
                index += 1
            }
        }
        return String(decoding: bytes[start...], as: UTF8.self)
    }
}
