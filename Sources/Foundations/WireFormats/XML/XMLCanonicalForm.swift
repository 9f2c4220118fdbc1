/// A canonicalization method, which gives each logical document one spelling. Comments are omitted, because the reader drops them.
package enum XMLCanonicalization: Hashable, Sendable {
    /// Canonical XML 1.0: with every namespace in scope, and with the `xml:` attributes of the ancestors.
    case inclusive
    /// Exclusive XML Canonicalization 1.0: with the namespaces that names use. Prefixes in the list are treated as in the inclusive form;
    /// `#default` means the default namespace.
    case exclusive(inclusivePrefixes: [String] = [])
}

extension XMLElement {
    /// Returns the element and its content in canonical form, in UTF-8.
    /// - Parameter ancestors: the elements around it, outermost first, for their namespaces and `xml:` attributes.
    package func canonicalForm(_ method: XMLCanonicalization = .exclusive(), within ancestors: [XMLElement] = []) -> [UInt8] {
        var writer =
            switch method {
            case .inclusive: XMLCanonicalWriter(selection: .all)
            case .exclusive(let prefixes): XMLCanonicalWriter(selection: .used(and: prefixes.map { $0 == "#default" ? "" : $0 }))
            }
        for ancestor in ancestors { writer.enterScope(of: ancestor) }
        var apex = self
        if method == .inclusive {
            // Canonical XML 1.0, section 2.4: the nearest `xml:` attributes of ancestors that are not in the node-set.
            for ancestor in ancestors.reversed() {
                for attribute in ancestor.attributes where attribute.prefix == "xml" {
                    let isThere = apex.attributes.contains { $0.prefix == "xml" && $0.name == attribute.name }
                    if !isThere { apex.attributes.append(attribute) }
                }
            }
        }
        writer.write(apex, isApex: true)
        return writer.output
    }

    /// Returns the element as a document: with the declarations that it and its descendants make, and those that their names need.
    ///
    /// Parsing the result gives the same names, attributes and texts; its canonical forms are those of the element.
    package func serialized() -> [UInt8] {
        var writer = XMLCanonicalWriter(selection: .declared)
        writer.write(self, isApex: true)
        return writer.output
    }
}

/// Writes elements in canonical form, from the outside inwards.
private struct XMLCanonicalWriter {
    enum Selection {
        case all
        /// Namespaces that the element's names use, and those of these prefixes.
        case used(and: [String])
        /// Namespaces that the element's names use, and those that it declares.
        case declared
    }

    private typealias Declaration = XMLElement.Declaration

    private let selection: Selection
    /// The declarations in scope here, innermost last.
    private var scope: [Declaration] = []
    /// The declarations that the elements around this one have written, innermost last.
    private var rendered: [Declaration] = []
    private(set) var output: [UInt8] = []

    init(selection: Selection) {
        self.selection = selection
        output.reserveCapacity(4096)
    }

    mutating func enterScope(of element: XMLElement) {
        scope += element.declarations
    }

    mutating func write(_ element: XMLElement, isApex: Bool) {
        let (outerScope, outerRendered) = (scope.count, rendered.count)
        defer {
            scope.removeSubrange(outerScope...)
            rendered.removeSubrange(outerRendered...)
        }
        enterScope(of: element)
        output.append(0x3C)
        appendName(element.prefix, element.name)
        for declaration in namespaces(of: element, isApex: isApex) {
            appendDeclaration(declaration)
            rendered.append(declaration)
        }
        let isSorted = element.attributes.count < 2
        for attribute in isSorted ? element.attributes : element.attributes.sorted(by: Self.precedes) {
            output.append(0x20)
            appendName(attribute.prefix, attribute.name)
            append("=\"")
            appendEscaped(attribute.value, inAttribute: true)
            output.append(0x22)
        }
        output.append(0x3E)
        for node in element.content {
            switch node {
            case .text(let text): appendEscaped(text, inAttribute: false)
            case .element(let child): write(child, isApex: false)
            }
        }
        append("</")
        appendName(element.prefix, element.name)
        output.append(0x3E)
    }

    /// Returns the declarations to write on an element, sorted by prefix.
    private func namespaces(of element: XMLElement, isApex: Bool) -> [Declaration] {
        var candidates: [Declaration] = []
        func use(_ prefix: String, _ namespace: String, in candidates: inout [Declaration]) {
            // The prefix `xml` is never declared.
            guard !isEqual(prefix, "xml"), !candidates.contains(where: { isEqual($0.prefix, prefix) }) else { return }
            candidates.append(Declaration(prefix: prefix, namespace: namespace))
        }
        if case .all = selection {
            // Above the apex nothing has been written. Below it, only the element's own declarations can be new.
            let fresh = isApex ? scope[...] : element.declarations[...]
            for declaration in fresh.reversed() { use(declaration.prefix, declaration.namespace, in: &candidates) }
        } else {
            use(element.prefix, element.namespace, in: &candidates)
            for attribute in element.attributes where !attribute.prefix.isEmpty {
                use(attribute.prefix, attribute.namespace, in: &candidates)
            }
            if case .used(let prefixes) = selection {
                for prefix in prefixes {
                    guard let declared = scope.last(where: { isEqual($0.prefix, prefix) }) else { continue }
                    use(prefix, declared.namespace, in: &candidates)
                }
            } else {
                for declaration in element.declarations { use(declaration.prefix, declaration.namespace, in: &candidates) }
            }
        }
        let new = candidates.filter { candidate in
            let outer = rendered.last { isEqual($0.prefix, candidate.prefix) }
            // Without a declaration, the empty namespace applies.
            return !isEqual(outer?.namespace ?? "", candidate.namespace)
        }
        return new.count < 2 ? new : new.sorted { $0.prefix.utf8.lexicographicallyPrecedes($1.prefix.utf8) }
    }

    /// Returns whether `one` sorts first: by namespace, then by local name, as UTF-8 octets. (Canonical XML 1.0, section 2.2, document
    /// order.)
    private static func precedes(_ one: XMLElement.Attribute, _ other: XMLElement.Attribute) -> Bool {
        isEqual(one.namespace, other.namespace)
            ? one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
            : one.namespace.utf8.lexicographicallyPrecedes(other.namespace.utf8)
    }

    private mutating func append(_ text: StaticString) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func appendName(_ prefix: String, _ name: String) {
        if !prefix.isEmpty {
            output.append(contentsOf: prefix.utf8)
            output.append(0x3A)
        }
        output.append(contentsOf: name.utf8)
    }

    private mutating func appendDeclaration(_ declaration: Declaration) {
        append(" xmlns")
        if !declaration.prefix.isEmpty { output.append(0x3A) }
        output.append(contentsOf: declaration.prefix.utf8)
        append("=\"")
        appendEscaped(declaration.namespace, inAttribute: true)
        output.append(0x22)
    }

    /// Appends text, escaped as in Canonical XML 1.0, section 2.3.
    private mutating func appendEscaped(_ text: String, inAttribute: Bool) {
        var text = text
        text.withUTF8 { text in
            var start = 0
            for (index, byte) in text.enumerated() {
                // Only `"`, `&`, `<`, `>` and the three control characters that XML allows can need a reference.
                guard byte <= 0x3E else { continue }
                let reference: StaticString
                switch byte {
                case 0x26: reference = "&amp;"
                case 0x3C: reference = "&lt;"
                case 0x3E where !inAttribute: reference = "&gt;"
                case 0x22 where inAttribute: reference = "&quot;"
                case 0x09 where inAttribute: reference = "&#x9;"
                case 0x0A where inAttribute: reference = "&#xA;"
                case 0x0D: reference = "&#xD;"
                default: continue
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
                append(reference)
                start = index + 1
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        }
    }
}

/// Returns whether two texts are equal byte for byte. `==` also equates composed with decomposed characters.
private func isEqual(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
}
