/// Walks a JSON5 document and finds where it is broken, which the decoder does not say, and names that an object has twice,
/// which the decoder does not see. (JSON5 Data Interchange Format 1.0.0.)
struct JSON5Scanner {
    /// Where the document is broken, counted from 1, and what should stand there.
    struct Fault: Error, Equatable {
        var line: Int
        /// In characters of Unicode.
        var column: Int
        var expected: String
    }

    private static let deepest = 256

    private let bytes: [UInt8]
    private var index = 0

    /// - Throws: `Fault` for the first place that is no JSON5.
    static func check(_ bytes: [UInt8]) throws(Fault) {
        var scanner = JSON5Scanner(bytes: bytes)
        try scanner.skipSpace()
        try scanner.skipValue(depth: 0)
        try scanner.skipSpace()
        guard scanner.index == bytes.count else { throw scanner.fault("the end of the document") }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

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
            if byte <= 0x20 {
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

    private mutating func skipValue(depth: Int) throws(Fault) {
        guard depth < Self.deepest else { throw fault("at most \(Self.deepest) levels") }
        if skip("{") {
            var names: Set<String> = []
            while true {
                try skipSpace()
                if skip("}") { return }
                let start = index
                let name = try skipName()
                guard names.insert(name).inserted else { throw fault("a name that the object has once, not '\(name)' again", at: start) }
                try skipSpace()
                guard skip(":") else { throw fault("a colon after the name") }
                try skipSpace()
                try skipValue(depth: depth + 1)
                try skipSpace()
                if !skip(",") {
                    guard skip("}") else { throw fault("a comma or }") }
                    return
                }
            }
        }
        if skip("[") {
            while true {
                try skipSpace()
                if skip("]") { return }
                try skipValue(depth: depth + 1)
                try skipSpace()
                if !skip(",") {
                    guard skip("]") else { throw fault("a comma or ]") }
                    return
                }
            }
        }
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
            _ = try skipString()
            return
        }
        let start = index
        let word = skipWord()
        let isNumber = word.utf8.first.map { (0x30...0x39).contains($0) || "+-.".utf8.contains($0) } ?? false
        guard isNumber || ["true", "false", "null", "Infinity", "NaN"].contains(word) else { throw fault("a value", at: start) }
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
