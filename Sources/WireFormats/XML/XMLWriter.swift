/// Writes an XML document into bytes, element by element, without building a tree.
///
/// Text is escaped as S3 escapes it: a carriage return and the other control characters become numeric references, so that
/// a key survives the reader's line-ending rules. Names are the caller's constants and are written as they are.
package struct XMLWriter: Sendable {
    /// The document so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Writes the XML declaration, with a line feed after it. Call it first or not at all.
    package mutating func declaration() {
        bytes.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    }

    /// Writes an element that holds text alone.
    package mutating func element(_ name: String, attributes: KeyValuePairs<String, String> = [:], _ text: String) {
        open(name, namespace: nil, attributes)
        append(escaping: text)
        close(name)
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
        bytes.append(0x3C)
        append(name)
        if let namespace { append(attribute: "xmlns", namespace) }
        for (attribute, value) in attributes { append(attribute: attribute, value) }
        bytes.append(0x3E)
    }

    private mutating func close(_ name: String) {
        append("</")
        append(name)
        bytes.append(0x3E)
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    private mutating func append(attribute name: String, _ value: String) {
        bytes.append(0x20)
        bytes.append(contentsOf: name.utf8)
        bytes.append(contentsOf: "=\"".utf8)
        for byte in value.utf8 {
            // A reader turns a literal tab or line feed of an attribute into a space.
            if byte == 0x09 || byte == 0x0A { append(reference: byte) } else { append(escaping: byte) }
        }
        bytes.append(0x22)
    }

    /// Appends the stretches between bytes that must be escaped as they are: listings are made of little else.
    private mutating func append(escaping text: String) {
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices where !Self.isPlain(utf8[index]) {
                bytes.append(contentsOf: utf8[start..<index])
                append(escaping: utf8[index])
                start = index + 1
            }
            bytes.append(contentsOf: utf8[start...])
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x26, 0x3C, 0x3E, 0x22: false
        case 0x09, 0x0A, 0x20...: true
        default: false
        }
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case 0x26: bytes.append(contentsOf: "&amp;".utf8)
        case 0x3C: bytes.append(contentsOf: "&lt;".utf8)
        case 0x3E: bytes.append(contentsOf: "&gt;".utf8)
        case 0x22: bytes.append(contentsOf: "&quot;".utf8)
        case 0x09, 0x0A, 0x20...: bytes.append(byte)
        default: append(reference: byte)
        }
    }

    private mutating func append(reference byte: UInt8) {
        bytes.append(contentsOf: "&#".utf8)
        bytes.append(contentsOf: String(byte).utf8)
        bytes.append(0x3B)
    }
}
