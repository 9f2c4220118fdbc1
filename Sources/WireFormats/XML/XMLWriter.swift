/// Writes an XML document into bytes, element by element, without building a tree.
///
/// Text is escaped as S3 escapes it: a carriage return and the other control characters become numeric references, so that
/// a key survives the reader's line-ending rules. Names are the caller's constants and are written as they are.
package struct XMLWriter: Sendable {
    /// The document in its first `end` bytes, and room for more: a listing writes ten thousand elements, each with one look
    /// at the room.
    private var storage: [UInt8]
    private var end = 0

    /// - Parameter capacity: bytes that the document will have, roughly.
    package init(capacity: Int = 1024) {
        storage = Self.room(max(capacity, 64))
    }

    /// Bytes that are not worth the time to be cleared: none is read that has not been written.
    private static func room(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { $1 = count }
    }

    /// The document so far, in UTF-8.
    package var bytes: [UInt8] { Array(storage[..<end]) }

    /// Lends the document so far without copying it.
    package func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
    }

    /// Writes the XML declaration, with a line feed after it. Call it first or not at all.
    package mutating func declaration() {
        append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    }

    /// Writes an element that holds text alone.
    package mutating func element(_ name: String, attributes: KeyValuePairs<String, String>, _ text: String) {
        open(name, namespace: nil, attributes)
        var text = text
        text.withUTF8 { text in append(atMost: text.count * XMLText.longestReference) { $0.put(escaping: text) } }
        close(name)
    }

    /// Writes an element that holds text alone.
    package mutating func element(_ name: String, _ text: String) {
        var (name, text) = (name, text)
        name.withUTF8 { name in
            text.withUTF8 { text in
                append(atMost: 2 * name.count + 5 + text.count * XMLText.longestReference) { room in
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
        text.withUTF8 { text in append(atMost: text.count) { $0.put(text) } }
    }

    private mutating func append(attribute name: String, _ value: String) {
        append(" ")
        append(name)
        append("=\"")
        var value = value
        value.withUTF8 { value in append(atMost: value.count * XMLText.longestReference) { $0.put(escapingAttribute: value) } }
        append("\"")
    }

    @inline(__always)
    private mutating func append(atMost count: Int, _ write: (inout XMLText) -> Void) {
        if storage.count - end < count {
            storage += Self.room(max(storage.count, count))
        }
        end += storage.withUnsafeMutableBytes { bytes in
            var text = XMLText(UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
            write(&text)
            return text.count
        }
    }
}

/// Bytes of a document being written into room that is large enough.
private struct XMLText {
    /// Bytes that the longest reference takes in place of one byte.
    static let longestReference = 6

    private let room: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        room[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: UnsafeRawBufferPointer(bytes))
        count += bytes.count
    }

    /// Most texts hold nothing to escape, and go as they are.
    mutating func put(escaping text: UnsafeBufferPointer<UInt8>) {
        if Self.isPlain(text) { return put(text) }
        for byte in text { put(escaping: byte) }
    }

    /// A reader turns a literal tab or line feed of an attribute into a space.
    mutating func put(escapingAttribute text: UnsafeBufferPointer<UInt8>) {
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

    private mutating func put(_ text: StaticString) {
        put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
