/// Writes an XML document into bytes, element by element, without building a tree.
///
/// Text is escaped as S3 escapes it: a carriage return and the other control characters become numeric references. A key therefore
/// survives the reader's line-ending rules. Names are constants of the caller and are written unchanged.
package struct XMLWriter: Sendable {
    private var text: GrowingText

    /// Creates an empty document.
    /// - Parameter capacity: the approximate size of the document in bytes.
    package init(capacity: Int = 1024) { text = GrowingText(capacity: capacity) }

    /// The document so far, in UTF-8.
    package var bytes: [UInt8] { text.bytes }

    /// Calls `body` with the document so far, without copying it.
    package func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T { try text.withBytes(body) }

    /// Writes the XML declaration, with a line feed after it. Call it first or not at all.
    package mutating func declaration() {
        append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    }

    /// Writes an element that contains only text.
    package mutating func element(_ name: String, attributes: KeyValuePairs<String, String>, _ text: String) {
        open(name, namespace: nil, attributes)
        var text = text
        text.withUTF8 { text in self.text.append(atMost: text.count * longestReference) { $0.put(escaping: text) } }
        close(name)
    }

    /// Writes an element that contains only text.
    package mutating func element(_ name: String, _ text: String) {
        var text = text
        text.withUTF8 { text in element(name, atMost: text.count * longestReference) { $0.put(escaping: text) } }
    }

    /// Writes an element that contains a time in whole seconds, see ``Timestamp/iso8601WholeSeconds``.
    package mutating func element(_ name: String, wholeSecondsOf time: Timestamp) {
        time.withISO8601WholeSeconds { text in element(name, atMost: text.count) { $0.put(text) } }
    }

    /// Writes an element that contains bytes in hexadecimal between quotation marks, as entity tags are.
    package mutating func element(_ name: String, quotedHexOf bytes: [UInt8]) {
        element(name, atMost: 2 * bytes.count + 12) { room in
            room.put("&quot;")
            room.put(hexOf: bytes)
            room.put("&quot;")
        }
    }

    /// Writes an element that contains a decimal number.
    package mutating func element(_ name: String, _ number: Int) {
        element(name, Int64(number))
    }

    /// Writes an element that contains a decimal number.
    package mutating func element(_ name: String, _ number: Int64) {
        element(name, atMost: 20) { $0.put(decimal: number) }
    }

    /// Writes an element whose content is at most `count` bytes.
    @inline(__always)
    private mutating func element(_ name: String, atMost count: Int, _ write: (inout GrowingText.Room) -> Void) {
        var name = name
        name.withUTF8 { name in
            text.append(atMost: 2 * name.count + 5 + count) { room in
                room.put(0x3C)
                room.put(name)
                room.put(0x3E)
                write(&room)
                room.put(0x3C)
                room.put(0x2F)
                room.put(name)
                room.put(0x3E)
            }
        }
    }

    /// Writes an element that contains `true` or `false`.
    package mutating func element(_ name: String, _ flag: Bool) {
        element(name, flag ? "true" : "false")
    }

    /// Writes an element with the content that `content` writes.
    /// - Parameters:
    ///   - namespace: the default namespace to declare on the element. On the root it applies to the whole document.
    ///   - attributes: written in this order, including `xmlns:…` declarations.
    package mutating func element(
        _ name: String, namespace: String? = nil, attributes: KeyValuePairs<String, String> = [:],
        _ content: (inout XMLWriter) -> Void
    ) {
        open(name, namespace: namespace, attributes)
        content(&self)
        close(name)
    }

    private mutating func open(_ name: String, namespace: String?, _ attributes: KeyValuePairs<String, String>) {
        if namespace == nil, attributes.isEmpty { return append("<", name, ">") }
        append("<", name, "")
        if let namespace { append(attribute: "xmlns", namespace) }
        for (attribute, value) in attributes { append(attribute: attribute, value) }
        append(">")
    }

    private mutating func close(_ name: String) { append("</", name, ">") }

    private mutating func append(_ start: StaticString, _ name: String, _ end: StaticString) {
        var name = name
        name.withUTF8 { name in
            text.append(atMost: start.utf8CodeUnitCount + name.count + end.utf8CodeUnitCount) { room in
                room.put(start)
                room.put(name)
                room.put(end)
            }
        }
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { text in self.text.append(atMost: text.count) { $0.put(text) } }
    }

    private mutating func append(attribute name: String, _ value: String) {
        append(" ")
        append(name)
        append("=\"")
        var value = value
        value.withUTF8 { value in text.append(atMost: value.count * longestReference) { $0.put(escapingAttribute: value) } }
        append("\"")
    }
}

/// The length in bytes of the longest reference for one byte.
private let longestReference = 6

extension GrowingText.Room {
    /// Appends text with references. Most texts contain nothing to escape and are copied.
    fileprivate mutating func put(escaping text: UnsafeBufferPointer<UInt8>) {
        var position = 0
        while true {
            let end = Self.endOfPlain(text, from: position)
            put(UnsafeBufferPointer(rebasing: text[position..<end]))
            guard end < text.count else { return }
            put(escaping: text[end])
            position = end + 1
        }
    }

    /// Appends an attribute value with references. Tab and line feed are escaped too, because a reader turns them into spaces.
    fileprivate mutating func put(escapingAttribute text: UnsafeBufferPointer<UInt8>) {
        for byte in text {
            if byte == 0x09 || byte == 0x0A { put(reference: byte) } else { put(escaping: byte) }
        }
    }

    /// Returns the index of the next control character or one of `& < > "`, or the end.
    private static func endOfPlain(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        // Eight bytes at a time: a session token is long and contains none of these.
        var position = UnsafeRawBufferPointer(text).step(from: start) {
            $0.below(0x20) | $0.equal(0x22) | $0.equal(0x26) | $0.equal(0x3C) | $0.equal(0x3E)
        }
        while position < text.count {
            switch text[position] {
            case 0x26, 0x3C, 0x3E, 0x22, ..<0x20: return position
            default: position += 1
            }
        }
        return position
    }

    private mutating func put(escaping byte: UInt8) {
        switch byte {
        case 0x26: put("&amp;")
        case 0x3C: put("&lt;")
        case 0x3E: put("&gt;")
        case 0x22: put("&quot;")
        case 0x09, 0x0A, 0x20...: put(byte)
        default: put(reference: byte)
        }
    }

    /// Appends a numeric reference to a byte of one or two decimal digits.
    private mutating func put(reference byte: UInt8) {
        put("&#")
        if byte >= 10 { put(0x30 + byte / 10) }
        put(0x30 + byte % 10)
        put(0x3B)
    }
}
