package import WireFormats

/// The published schema of a configuration's XML document.
package enum DocumentSchema {
    /// A child element.
    package struct Member: Sendable {
        /// The name of the element.
        package var name: String
        /// How often the element can occur.
        package var occurrence: Occurrence
        /// The content of the element.
        package var content: Content

        package init(_ name: String, _ content: Content, _ occurrence: Occurrence = .once) {
            self.name = name
            self.content = content
            self.occurrence = occurrence
        }
    }

    /// How often an element can occur.
    package enum Occurrence: Sendable {
        case once
        case optional
        case several
        case any
    }

    /// The content of an element.
    package indirect enum Content: Sendable {
        case text
        case oneOf([String])
        case boolean
        case number
        case members([Member])
        /// Exactly one of the elements.
        case choice([Member])
        /// At least two of the elements.
        case conjunction([Member])
    }

    /// Whether an element conforms to the schema.
    package static func holds(_ element: XMLElement, _ content: Content) -> Bool {
        switch content {
        case .text: element.children.isEmpty
        case .oneOf(let values): element.children.isEmpty && values.contains(element.text.trimmed)
        case .boolean: element.children.isEmpty && ["true", "false"].contains(element.text.trimmed)
        case .number: element.children.isEmpty && Int64(decimal: element.text.trimmed) != nil
        case .members(let members): holds(element, members)
        case .choice(let members): holds(element, members) && element.children.count == 1
        case .conjunction(let members): holds(element, members) && element.children.count >= 2
        }
    }

    /// Returns the element with its boolean values in lowercase, for services that accept them in any case.
    package static func withLowercaseBooleans(_ element: XMLElement, _ content: Content) -> XMLElement {
        switch content {
        case .text, .oneOf, .number: return element
        case .boolean:
            guard element.children.isEmpty else { return element }
            return XMLElement(element.name, in: element.namespace, text: element.text.trimmed.lowercased())
        case .members(let members), .choice(let members), .conjunction(let members):
            var copy = element
            copy.content = element.content.map { node in
                guard case .element(let child) = node, let member = members.first(where: { $0.name == child.name }) else { return node }
                return .element(withLowercaseBooleans(child, member.content))
            }
            return copy
        }
    }

    private static func holds(_ element: XMLElement, _ members: [Member]) -> Bool {
        let names = Set(members.map(\.name))
        guard element.children.allSatisfy({ names.contains($0.name) }) else { return false }
        return members.allSatisfy { member in
            let found = element.children(named: member.name)
            let isThere =
                switch member.occurrence {
                case .once: found.count == 1
                case .optional: found.count <= 1
                case .several: !found.isEmpty
                case .any: true
                }
            return isThere && found.allSatisfy { holds($0, member.content) }
        }
    }
}

extension XMLElement {
    /// Writes an element without attributes, and its content.
    package func encode(into xml: inout XMLWriter) {
        let children = children
        if children.isEmpty {
            xml.element(name, text)
        } else {
            xml.element(name) { xml in for child in children { child.encode(into: &xml) } }
        }
    }
}
