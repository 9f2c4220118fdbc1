/// Walks a JSON5 document: finds where it is broken, finds duplicate keys, and records the position of each value, none of which the
/// decoder reports. (JSON5 Data Interchange Format 1.0.0.)
struct JSON5Scanner {
    /// Where the document is broken, counted from 1, and what should stand there.
    struct Fault: Error, Equatable {
        var line: Int
        /// In characters of Unicode.
        var column: Int
        var expected: String
    }

    private static let deepest = 256

    /// Where a value stands, and its key.
    struct Place {
        var key: Int
        var value: Int
        /// The value in a few words, for messages.
        var found: String
        /// The text of a string.
        var text: String?
    }

    private let bytes: [UInt8]
    private var index = 0
    /// By path, such as `accounts[0].name`; nil where positions are not recorded.
    private(set) var places: [String: Place]?
    /// Duplicate keys, if positions are recorded.
    private(set) var duplicates: [(path: String, fault: Fault)] = []

    /// - Throws: `Fault` for the first place that is no JSON5.
    static func check(_ bytes: [UInt8]) throws(Fault) {
        var scanner = JSON5Scanner(bytes: bytes)
        try scanner.scan()
    }

    /// Scans a document and records positions.
    /// - Throws: `Fault` for the first place that is not JSON5.
    init(recording bytes: [UInt8]) throws(Fault) {
        self.bytes = bytes
        places = [:]
        try scan()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func scan() throws(Fault) {
        try skipSpace()
        try skipValue(depth: 0, path: "", key: index)
        try skipSpace()
        guard index == bytes.count else { throw fault("the end of the document") }
    }

    /// The line and column of a position in bytes, counted from 1.
    func position(of place: Int) -> (line: Int, column: Int) {
        let found = fault("", at: place)
        return (found.line, found.column)
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func fault(_ expected: String, at place: Int? = nil) -> Fault {
        let before = bytes[..<(place ?? index)]
        let lineFeed = UInt8(ascii: "\n")
        let start = before.lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
        return Fault(
            line: before.count { $0 == lineFeed } + 1,
            column: String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1, expected: expected)
    }

    private mutating func skip(_ byte: Character) -> Bool {
        guard next == byte.asciiValue else { return false }
        index += 1
        return true
    }

    /// White space and comments.
    private mutating func skipSpace() throws(Fault) {
        while let byte = next {
            if byte == 0x20 || 0x09...0x0D ~= byte {
                index += 1
            } else if bytes[index...].starts(with: "//".utf8) {
                index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
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

    private mutating func skipValue(depth: Int, path: String, key: Int) throws(Fault) {
        guard depth < Self.deepest else { throw fault("at most \(Self.deepest) levels") }
        let start = index
        if skip("{") {
            places?[path] = Place(key: key, value: start, found: "an object")
            try skipMembers(depth: depth, path: path)
        } else if skip("[") {
            places?[path] = Place(key: key, value: start, found: "a list")
            try skipElements(depth: depth, path: path)
        } else if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
            let text = try skipString()
            places?[path] = Place(key: key, value: start, found: text.count <= 80 ? "'\(text)'" : "this text", text: text)
        } else {
            let word = skipWord()
            guard ["true", "false", "null"].contains(word) || isNumber(word) else { throw fault("a value", at: start) }
            places?[path] = Place(key: key, value: start, found: word)
        }
    }

    private mutating func skipMembers(depth: Int, path: String) throws(Fault) {
        var names: Set<String> = []
        while true {
            try skipSpace()
            if skip("}") { return }
            let start = index
            let name = try skipName()
            // Paths are put together only where they are recorded.
            var member = places == nil ? "" : path.isEmpty ? name : "\(path).\(name)"
            if !names.insert(name).inserted {
                let fault = fault("a name that the object has once, not '\(name)' again", at: start)
                guard places != nil else { throw fault }
                duplicates.append((member, fault))
                member += " (again)"
            }
            try skipSpace()
            guard skip(":") else { throw fault("a colon after the name") }
            try skipSpace()
            try skipValue(depth: depth + 1, path: member, key: start)
            try skipSpace()
            if !skip(",") {
                guard skip("}") else { throw fault("a comma or }") }
                return
            }
        }
    }

    private mutating func skipElements(depth: Int, path: String) throws(Fault) {
        var count = 0
        while true {
            try skipSpace()
            if skip("]") { return }
            try skipValue(depth: depth + 1, path: places == nil ? "" : "\(path)[\(count)]", key: index)
            count += 1
            try skipSpace()
            if !skip(",") {
                guard skip("]") else { throw fault("a comma or ]") }
                return
            }
        }
    }

    private mutating func skipName() throws(Fault) -> String {
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return try skipString() }
        let start = index
        let word = skipWord()
        guard let first = word.utf8.first, !(0x30...0x39).contains(first), !"+-.".utf8.contains(first) else {
            throw fault("a name or }", at: start)
        }
        return word
    }

    /// The text between the quotes, its escapes as they are written.
    private mutating func skipString() throws(Fault) -> String {
        let start = index
        let quote = bytes[index]
        index += 1
        while let byte = next, byte != quote {
            if byte == UInt8(ascii: "\n") { break }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard next == quote else { throw fault("a string that ends on its line", at: start) }
        defer { index += 1 }
        return String(decoding: bytes[start + 1..<index], as: UTF8.self)
    }

    /// Letters, digits and what else stands in names and numbers.
    private mutating func skipWord() -> String {
        let start = index
        while let byte = next {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: index += 1
            default:
                guard "_$+-.\\".utf8.contains(byte) else { return String(decoding: bytes[start..<index], as: UTF8.self) }
                index += 1
            }
        }
        return String(decoding: bytes[start...], as: UTF8.self)
    }
}

/// Whether a word is a number of JSON5. (JSON5 Data Interchange Format 1.0.0, section 6.)
private func isNumber(_ word: String) -> Bool {
    var rest = word.utf8.first.map { "+-".utf8.contains($0) } ?? false ? word.dropFirst() : word[...]
    if rest == "Infinity" || rest == "NaN" { return true }
    if rest.hasPrefix("0x") || rest.hasPrefix("0X") { return rest.count > 2 && rest.dropFirst(2).allSatisfy(\.isHexDigit) }
    func digits() -> Int {
        let count = rest.prefix { ("0"..."9").contains($0) }.count
        rest = rest.dropFirst(count)
        return count
    }
    let leadsWithZero = rest.hasPrefix("0")
    let whole = digits()
    var fraction = 0
    if rest.hasPrefix(".") {
        rest = rest.dropFirst()
        fraction = digits()
    }
    guard whole + fraction > 0, !leadsWithZero || whole == 1 else { return false }
    if rest.hasPrefix("e") || rest.hasPrefix("E") {
        rest = rest.dropFirst()
        if rest.hasPrefix("+") || rest.hasPrefix("-") { rest = rest.dropFirst() }
        guard digits() > 0 else { return false }
    }
    return rest.isEmpty
}
