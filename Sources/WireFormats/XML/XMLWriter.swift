/// Writes an XML document into bytes, element by element, without building a tree.
///
/// Text is escaped as S3 escapes it: a carriage return and the other control characters become numeric references, so that
/// a key survives the reader's line-ending rules. Names are the caller's constants and are written as they are.
package struct XMLWriter: Sendable {
    private var text: GrowingText

    /// - Parameter capacity: bytes that the document will have, roughly.
    package init(capacity: Int = 1024) { text = GrowingText(capacity: capacity) }

    /// The document so far, in UTF-8.
    package var bytes: [UInt8] { text.bytes }

    /// Lends the document so far without copying it.
    package func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T { try text.withBytes(body) }

    /// Writes the XML declaration, with a line feed after it. Call it first or not at all.
    package mutating func declaration() {
        append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    }

    /// Writes an element that holds text alone.
    package mutating func element(_ name: String, attributes: KeyValuePairs<String, String>, _ text: String) {
        open(name, namespace: nil, attributes)
        var text = text
        text.withUTF8 { text in self.text.append(atMost: text.count * longestReference) { $0.put(escaping: text) } }
        close(name)
    }

    /// Writes an element that holds text alone.
    package mutating func element(_ name: String, _ text: String) {
        var (name, text) = (name, text)
        name.withUTF8 { name in
            text.withUTF8 { text in
                self.text.append(atMost: 2 * name.count + 5 + text.count * longestReference) { room in
                    room.put(0x3C)
                    room.put(name)
                    room.put(0x3E)
                    room.put(escaping: text)
                    room.put(0x3C)
                    room.put(0x2F)
                    room.put(name)
                    room.put(0x3E)
                }
            }
        }
    }

    /// Writes an element that holds a number in decimal.
    package mutating func element(_ name: String, _ number: Int) {
        element(name, Int64(number))
    }

    /// Writes an element that holds a number in decimal.
    package mutating func element(_ name: String, _ number: Int64) {
        element(name, String(number))
    }

    /// Writes an element that holds `true` or `false`.
    package mutating func element(_ name: String, _ flag: Bool) {
        element(name, flag ? "true" : "false")
    }

    /// Writes an element and, inside it, what `content` writes.
    /// - Parameters:
    ///   - namespace: the default namespace declared on the element; on the root it covers all that follows.
    ///   - attributes: written in order; `xmlns:…` declarations among them.
    package mutating func element(
        _ name: String, namespace: String? = nil, attributes: KeyValuePairs<String, String> = [:],
        _ content: (inout XMLWriter) -> Void
    ) {
        open(name, namespace: namespace, attributes)
        content(&self)
        close(name)
    }

    private mutating func open(_ name: String, namespace: String?, _ attributes: KeyValuePairs<String, String>) {
        append("<")
        append(name)
        if let namespace { append(attribute: "xmlns", namespace) }
        for (attribute, value) in attributes { append(attribute: attribute, value) }
        append(">")
    }

    private mutating func close(_ name: String) {
        append("</")
        append(name)
        append(">")
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

/// Bytes that the longest reference takes in place of one byte.
private let longestReference = 6

extension GrowingText.Room {
    /// Most texts hold nothing to escape, and go as they are.
    fileprivate mutating func put(escaping text: UnsafeBufferPointer<UInt8>) {
        if Self.isPlain(text) { return put(text) }
        for byte in text { put(escaping: byte) }
    }

    /// A reader turns a literal tab or line feed of an attribute into a space.
    fileprivate mutating func put(escapingAttribute text: UnsafeBufferPointer<UInt8>) {
        for byte in text {
            if byte == 0x09 || byte == 0x0A { put(reference: byte) } else { put(escaping: byte) }
        }
    }

    /// Whether no byte is a control character or one of `& < > "`.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // A session token is long and holds none.
        let bytes = UnsafeRawBufferPointer(text)
        let start = bytes.step(from: 0) { $0.below(0x20) | $0.equal(0x22) | $0.equal(0x26) | $0.equal(0x3C) | $0.equal(0x3E) }
        return bytes[start...].allSatisfy { byte in
            switch byte {
            case 0x26, 0x3C, 0x3E, 0x22, ..<0x20: false
            default: true
            }
        }
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

    /// Only bytes of one or two digits are written so.
    private mutating func put(reference byte: UInt8) {
        put("&#")
        if byte >= 10 { put(0x30 + byte / 10) }
        put(0x30 + byte % 10)
        put(0x3B)
    }
}
