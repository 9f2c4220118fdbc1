extension JSONValue {
    /// Returns the document as text; see ``serializedBytes(pretty:)``.
    package func serialized(pretty: Bool = false) -> String {
        String(decoding: serializedBytes(pretty: pretty), as: UTF8.self)
    }

    /// Returns the document as UTF-8: compact, or with one member per line and two spaces per level. Members keep their order; `/` and
    /// non-ASCII characters are not escaped. A number that JSON cannot represent (infinite or NaN) becomes `null`.
    package func serializedBytes(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(isPretty: pretty)
        writer.write(self)
        return writer.bytes
    }
}

/// Writes a JSON document into bytes, member by member, without building a tree.
package struct JSONWriter {
    /// The document so far, in UTF-8.
    package var bytes: [UInt8] { text.bytes }

    private var text = GrowingText(capacity: 1024)
    private let isPretty: Bool
    private var level = 0

    /// Creates a writer for a compact document.
    package init() { self.init(isPretty: false) }

    fileprivate init(isPretty: Bool) { self.isPretty = isPretty }

    /// Writes an object whose members `content` writes.
    package mutating func object(_ content: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        content(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes a member of an object. Names must be unique; this is not checked.
    package mutating func member(_ name: String, _ text: String) {
        begin(name)
        write(text)
    }

    /// Writes a member of an object.
    package mutating func member(_ name: String, _ number: Int64) {
        begin(name)
        write(number)
    }

    /// Writes a member that is an array of strings.
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
        case .null: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .integer(let integer): write(integer)
        case .number(let number): append(number.isFinite ? number.description : "null")
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
        guard isPretty else { return write(name, after: isAtStart ? "" : ",", before: ":") }
        separate()
        write(name, before: ": ")
    }

    private mutating func open(_ bracket: UInt8) {
        text.append(atMost: 1) { $0.put(bracket) }
        level += 1
    }

    private mutating func separate() {
        if !isAtStart { text.append(atMost: 1) { $0.put(UInt8(ascii: ",")) } }
        startLine()
    }

    private mutating func close(_ bracket: UInt8) {
        level -= 1
        if !isAtStart { startLine() }
        text.append(atMost: 1) { $0.put(bracket) }
    }

    /// Whether the current array or object is still empty. Strings end in a quotation mark, so a final bracket is always an opening one.
    private var isAtStart: Bool { text.last == UInt8(ascii: "{") || text.last == UInt8(ascii: "[") }

    private mutating func startLine() {
        guard isPretty else { return }
        let spaces = 2 * level
        text.append(atMost: 1 + spaces) { room in
            room.put(UInt8(ascii: "\n"))
            for _ in 0..<spaces { room.put(UInt8(ascii: " ")) }
        }
    }

    private mutating func append(_ word: StaticString) { text.append(atMost: word.utf8CodeUnitCount) { $0.put(word) } }

    private mutating func append(_ word: String) {
        var word = word
        word.withUTF8 { word in text.append(atMost: word.count) { $0.put(word) } }
    }

    private mutating func write(_ integer: Int64) { text.append(atMost: 20) { $0.put(decimal: integer) } }

    private mutating func write(_ text: String, after start: StaticString = "", before end: StaticString = "") {
        var text = text
        text.withUTF8 { text in
            // Written in pieces, so that the buffer for escapes stays small.
            var position = 0
            repeat {
                let next = min(position + 4096, text.count)
                let further = 2 + start.utf8CodeUnitCount + end.utf8CodeUnitCount
                self.text.append(atMost: (next - position) * GrowingText.Room.longestEscape + further) { room in
                    if position == 0 {
                        room.put(start)
                        room.put(UInt8(ascii: "\""))
                    }
                    room.put(escaping: UnsafeBufferPointer(rebasing: text[position..<next]))
                    if next == text.count {
                        room.put(UInt8(ascii: "\""))
                        room.put(end)
                    }
                }
                position = next
            } while position < text.count
        }
    }
}

extension GrowingText.Room {
    /// The length in bytes of the longest escape of one byte.
    fileprivate static let longestEscape = 6

    fileprivate mutating func put(escaping text: UnsafeBufferPointer<UInt8>) {
        var position = 0
        while position < text.count {
            // Copied in runs: most texts contain nothing to escape.
            let run = position
            position = Self.firstEscaped(in: text, from: position)
            put(UnsafeBufferPointer(rebasing: text[run..<position]))
            guard position < text.count else { break }
            put(escaping: text[position])
            position += 1
        }
    }

    /// Returns the index of the next byte that needs an escape, or the end: a control character, a quotation mark or a backslash.
    private static func firstEscaped(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        // Eight bytes at a time: tokens are long and contain nothing to escape.
        var position = UnsafeRawBufferPointer(text).step(from: start) { $0.below(0x20) | $0.equal(0x22) | $0.equal(0x5C) }
        while position < text.count, !isEscaped(text[position]) { position += 1 }
        return position
    }

    @inline(__always)
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func put(escaping byte: UInt8) {
        put(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(byte)
        case 0x08: put(UInt8(ascii: "b"))
        case 0x0C: put(UInt8(ascii: "f"))
        case 0x0A: put(UInt8(ascii: "n"))
        case 0x0D: put(UInt8(ascii: "r"))
        case 0x09: put(UInt8(ascii: "t"))
        default:
            put("u00")
            put(UInt8(ascii: "0") + byte >> 4)
            put(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") + byte & 15 - 10)
        }
    }
}
