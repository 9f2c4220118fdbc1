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

/// Writes a JSON document into bytes, member by member, without building a tree.
package struct JSONWriter {
    /// The document so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    private var level = 0

    /// A compact document.
    package init() { self.init(isPretty: false) }

    fileprivate init(isPretty: Bool) {
        self.isPretty = isPretty
        bytes.reserveCapacity(1024)
    }

    /// Writes an object whose members `content` writes.
    package mutating func object(_ content: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        content(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes a member of an object. Names must be unique, which nobody checks.
    package mutating func member(_ name: String, _ text: String) {
        begin(name)
        write(text)
    }

    /// Writes a member of an object.
    package mutating func member(_ name: String, _ number: Int64) {
        begin(name)
        write(number)
    }

    /// Writes a member that is an array of texts.
    package mutating func member(_ name: String, _ texts: [String]) {
        begin(name)
        array { json in
            for text in texts { json.element(text) }
        }
    }

    /// Writes a member that is an array, whose elements `content` writes.
    package mutating func member(_ name: String, array content: (inout JSONWriter) -> Void) {
        begin(name)
        array(content)
    }

    /// Writes an element of an array.
    package mutating func element(_ text: String) {
        separate()
        write(text)
    }

    /// Writes an element of an array that is an array itself, whose elements `content` writes.
    package mutating func element(array content: (inout JSONWriter) -> Void) {
        separate()
        array(content)
    }

    private mutating func array(_ content: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        content(&self)
        close(UInt8(ascii: "]"))
    }

    /// Writes a member that is an object, whose members `content` writes.
    package mutating func member(_ name: String, object content: (inout JSONWriter) -> Void) {
        begin(name)
        object(content)
    }

    fileprivate mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .integer(let integer): write(integer)
        case .number(let number): bytes += (number.isFinite ? number.description : "null").utf8
        case .string(let text): write(text)
        case .array(let elements):
            array { json in
                for element in elements {
                    json.separate()
                    json.write(element)
                }
            }
        case .object(let object):
            self.object { json in
                object.forEachMember { name, value in
                    json.begin(name)
                    json.write(value)
                }
            }
        }
    }

    private mutating func begin(_ name: String) {
        separate()
        write(name)
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        level += 1
    }

    private mutating func separate() {
        if !isAtStart { bytes.append(UInt8(ascii: ",")) }
        startLine()
    }

    private mutating func close(_ bracket: UInt8) {
        level -= 1
        if !isAtStart { startLine() }
        bytes.append(bracket)
    }

    /// Whether nothing stands yet in the array or object: texts end in a quotation mark, so that a bracket at the end is an opened one's.
    private var isAtStart: Bool { bytes.last == UInt8(ascii: "{") || bytes.last == UInt8(ascii: "[") }

    private mutating func startLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private mutating func write(_ integer: Int64) {
        bytes += String(integer).utf8
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

    /// Where the next byte stands that cannot stand as it is, or the end: a control character, a quotation mark or a backslash.
    private static func firstEscaped(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        // Tokens are long and hold none.
        var position = UnsafeRawBufferPointer(text).step(from: start) { $0.below(0x20) | $0.equal(0x22) | $0.equal(0x5C) }
        while position < text.count, !isEscaped(text[position]) { position += 1 }
        return position
    }

    @inline(__always)
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func writeEscape(_ byte: UInt8) {
        let letter: UInt8? =
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
            case 0x08: UInt8(ascii: "b")
            case 0x0C: UInt8(ascii: "f")
            case 0x0A: UInt8(ascii: "n")
            case 0x0D: UInt8(ascii: "r")
            case 0x09: UInt8(ascii: "t")
            default: nil
            }
        bytes.append(UInt8(ascii: "\\"))
        if let letter {
            bytes.append(letter)
        } else {
            bytes += (byte < 0x10 ? "u000" : "u00").utf8
            bytes += String(byte, radix: 16).utf8
        }
    }
}
