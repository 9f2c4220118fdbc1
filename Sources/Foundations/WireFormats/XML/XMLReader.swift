extension XMLElement {
    /// Parses a whole document of XML 1.0 with namespaces, in UTF-8.
    ///
    /// The parser is strict and small. It rejects document type declarations, processing instructions except the XML declaration, entities
    /// that are neither numeric nor one of the predefined five, and anything over the limits. Comments are dropped, and the text on both
    /// sides of one is joined.
    /// - Parameters:
    ///   - limits: the limits of the document. By default its size is unlimited, because the caller already bounds what it collects.
    ///   - characters: which characters text may contain.
    ///   - ancestors: the elements, outermost first, whose declarations apply to the document. A decrypted element, for example, is
    ///     inserted into the last of them.
    package init(
        parsing document: [UInt8], limits: XMLLimits = XMLLimits(), characters: XMLCharacters = .standard,
        within ancestors: [XMLElement] = []
    ) throws(XMLSyntaxError) {
        guard document.count <= limits.size else { throw XMLSyntaxError(reason: .tooComplex, offset: limits.size) }
        guard (try? UTF8Span(validating: document.span)) != nil else { throw XMLSyntaxError(reason: .encoding, offset: 0) }
        var reader = XMLReader(document, limits: limits, characters: characters, within: ancestors)
        self = try reader.document()
    }
}

/// The limits of a document; a document that exceeds one is rejected.
package struct XMLLimits: Sendable {
    /// Elements nested inside one another.
    package var depth: Int
    /// Attributes of one element, including namespace declarations.
    package var attributes: Int
    /// Elements in total.
    package var elements: Int
    /// Bytes in total.
    package var size: Int

    package init(depth: Int = 32, attributes: Int = 128, elements: Int = .max, size: Int = .max) {
        self.depth = depth
        self.attributes = attributes
        self.elements = elements
        self.size = size
    }
}

/// Which characters the text of a document may contain, literally or as a numeric reference.
package enum XMLCharacters: Sendable {
    /// The characters of XML 1.0; a carriage return, alone or before a line feed, becomes a line feed.
    case standard
    /// Every Unicode scalar value, including control characters; a carriage return stays one.
    case any
}

/// Parses a document by recursive descent over valid UTF-8.
struct XMLReader {
    private var cursor: XMLCursor
    private var scope: [(prefix: String, namespace: String)] = [("xml", "http://www.w3.org/XML/1998/namespace")]
    private var depth = 0
    private var elements = 0
    private let limits: XMLLimits

    init(_ document: [UInt8], limits: XMLLimits, characters: XMLCharacters, within ancestors: [XMLElement]) {
        cursor = XMLCursor(document, characters: characters)
        self.limits = limits
        for ancestor in ancestors { scope += ancestor.declarations.map { ($0.prefix, $0.namespace) } }
    }

    mutating func document() throws(XMLSyntaxError) -> XMLElement {
        cursor.skip("\u{FEFF}")
        if cursor.skip("<?xml") { try declaration() }
        try misc()
        guard cursor.peek == 0x3C else { throw cursor.unexpected() }
        let root = try element()
        try misc()
        guard cursor.isAtEnd else { throw cursor.unexpected() }
        return root
    }

    /// Parses the XML declaration after `<?xml`: version 1.0, optionally the encoding UTF-8, optionally `standalone`.
    private mutating func declaration() throws(XMLSyntaxError) {
        guard cursor.skipSpace(), cursor.skip("version"), try pseudoAttribute() == "1.0" else { throw cursor.unexpected() }
        var separated = cursor.skipSpace()
        if separated, cursor.skip("encoding") {
            let start = cursor.offset
            guard try pseudoAttribute().lowercased() == "utf-8" else {
                throw XMLSyntaxError(reason: .encoding, offset: start)
            }
            separated = cursor.skipSpace()
        }
        if separated, cursor.skip("standalone") {
            let value = try pseudoAttribute()
            guard value == "yes" || value == "no" else { throw cursor.unexpected() }
            cursor.skipSpace()
        }
        try cursor.expect("?>")
    }

    private mutating func pseudoAttribute() throws(XMLSyntaxError) -> String {
        cursor.skipSpace()
        try cursor.expect("=")
        cursor.skipSpace()
        return try attributeValue()
    }

    /// Skips white space and comments outside the root element.
    private mutating func misc() throws(XMLSyntaxError) {
        while true {
            cursor.skipSpace()
            if cursor.skip("<!--") {
                try comment()
            } else if cursor.starts(with: "<?") {
                throw XMLSyntaxError(reason: .processingInstruction, offset: cursor.offset)
            } else if cursor.starts(with: "<!") {
                throw XMLSyntaxError(reason: .documentType, offset: cursor.offset)
            } else {
                return
            }
        }
    }

    private mutating func comment() throws(XMLSyntaxError) {
        while !cursor.skip("--") { _ = try cursor.character() }
        try cursor.expect(">")
    }

    private mutating func element() throws(XMLSyntaxError) -> XMLElement {
        let start = cursor.offset
        depth += 1
        elements += 1
        let outerScope = scope.count
        defer {
            depth -= 1
            scope.removeSubrange(outerScope...)
        }
        guard depth <= limits.depth, elements <= limits.elements else { throw XMLSyntaxError(reason: .tooComplex, offset: start) }
        try cursor.expect("<")
        let tag = try cursor.name()
        let found = try attributes()
        var element = XMLElement(
            prefix: tag.prefix, name: tag.local, namespace: try namespace(of: tag.prefix, default: true, at: start))
        element.declarations = scope[outerScope...].map { XMLElement.Declaration(prefix: $0.prefix, namespace: $0.namespace) }
        for attribute in found {
            let namespace = try namespace(of: attribute.prefix, default: false, at: attribute.offset)
            guard !element.attributes.contains(where: { $0.name == attribute.name && $0.namespace == namespace }) else {
                throw XMLSyntaxError(reason: .duplicateAttribute, offset: attribute.offset)
            }
            element.attributes.append(
                Attribute(prefix: attribute.prefix, name: attribute.name, namespace: namespace, value: attribute.value))
        }
        if cursor.skip("/>") { return element }
        try cursor.expect(">")
        try content(of: &element)
        let end = cursor.offset
        try cursor.expect("</")
        guard try cursor.name() == tag else { throw XMLSyntaxError(reason: .mismatchedTag, offset: end) }
        cursor.skipSpace()
        try cursor.expect(">")
        return element
    }

    private typealias Attribute = XMLElement.Attribute

    private struct RawAttribute {
        var prefix: String
        var name: String
        var value: String
        var offset: Int
    }

    /// Parses the attributes of a start tag; namespace declarations go into the scope instead.
    private mutating func attributes() throws(XMLSyntaxError) -> [RawAttribute] {
        var found: [RawAttribute] = []
        let outerScope = scope.count
        while cursor.skipSpace(), let next = cursor.peek, next != 0x3E, next != 0x2F {
            let start = cursor.offset
            guard found.count + scope.count - outerScope < limits.attributes else {
                throw XMLSyntaxError(reason: .tooComplex, offset: start)
            }
            let (prefix, name) = try cursor.name()
            let value = try pseudoAttribute()
            if prefix == "xmlns" || (prefix.isEmpty && name == "xmlns") {
                try declare(prefix.isEmpty ? "" : name, value, above: outerScope, at: start)
            } else {
                found.append(RawAttribute(prefix: prefix, name: name, value: value, offset: start))
            }
        }
        return found
    }

    private mutating func declare(_ prefix: String, _ namespace: String, above outer: Int, at offset: Int) throws(XMLSyntaxError) {
        let isRedeclared = scope[outer...].contains { $0.prefix == prefix }
        guard !isRedeclared else { throw XMLSyntaxError(reason: .duplicateAttribute, offset: offset) }
        let isReserved = prefix == "xmlns" || prefix == "xml" || namespace == "http://www.w3.org/2000/xmlns/"
        guard !isReserved, prefix.isEmpty || !namespace.isEmpty else { throw XMLSyntaxError(reason: .namespace, offset: offset) }
        scope.append((prefix, namespace))
    }

    private func namespace(of prefix: String, default: Bool, at offset: Int) throws(XMLSyntaxError) -> String {
        if prefix.isEmpty, !`default` { return "" }
        if let declared = scope.last(where: { $0.prefix == prefix }) { return declared.namespace }
        guard prefix.isEmpty else { throw XMLSyntaxError(reason: .namespace, offset: offset) }
        return ""
    }

    private mutating func attributeValue() throws(XMLSyntaxError) -> String {
        guard let quote = cursor.peek, quote == 0x22 || quote == 0x27 else { throw cursor.unexpected() }
        cursor.advance()
        var value: [UInt8] = []
        while let next = cursor.peek, next != quote {
            switch next {
            case 0x3C: throw cursor.unexpected()
            case 0x26: try cursor.reference(into: &value)
            case 0x09, 0x0A, 0x0D:
                _ = try cursor.character()
                value.append(0x20)
            default: try cursor.character(into: &value)
            }
        }
        guard cursor.peek == quote else { throw cursor.unexpected() }
        cursor.advance()
        return String(decoding: value, as: UTF8.self)
    }

    /// Parses up to the end tag. Text around comments and CDATA sections is joined into one text.
    private mutating func content(of element: inout XMLElement) throws(XMLSyntaxError) {
        var text: [UInt8] = []
        func flush(_ text: inout [UInt8], into element: inout XMLElement) {
            guard !text.isEmpty else { return }
            element.content.append(.text(String(decoding: text, as: UTF8.self)))
            text.removeAll(keepingCapacity: true)
        }
        while let next = cursor.peek {
            switch next {
            case 0x26: try cursor.reference(into: &text)
            case 0x3C:
                if cursor.starts(with: "</") { return flush(&text, into: &element) }
                if cursor.skip("<!--") {
                    try comment()
                } else if cursor.skip("<![CDATA[") {
                    while !cursor.skip("]]>") { try cursor.character(into: &text) }
                } else if cursor.starts(with: "<?") {
                    throw XMLSyntaxError(reason: .processingInstruction, offset: cursor.offset)
                } else {
                    flush(&text, into: &element)
                    element.content.append(.element(try self.element()))
                }
            case 0x5D where cursor.starts(with: "]]>"): throw cursor.unexpected()
            default: try cursor.character(into: &text)
            }
        }
        throw cursor.unexpected()
    }
}
