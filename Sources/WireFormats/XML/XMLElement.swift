/// An element of a parsed XML document.
package struct XMLElement: Hashable, Sendable {
    /// One attribute; namespace declarations are not among them.
    package struct Attribute: Hashable, Sendable {
        /// The name without its prefix.
        package var name: String
        /// The namespace of the prefix; empty for a name without one.
        package var namespace: String
        /// The value after entity and white-space normalisation.
        package var value: String
    }

    /// What an element can hold.
    package enum Node: Hashable, Sendable {
        case element(XMLElement)
        /// Character data; never empty, and never beside another text.
        case text(String)
    }

    /// The name without its prefix.
    package var name: String
    /// The namespace the element is in; empty for none.
    package var namespace: String
    /// The attributes in document order.
    package var attributes: [Attribute] = []
    /// Elements and texts in document order; comments are gone.
    package var content: [Node] = []

    /// The elements directly inside, in order.
    package var children: [XMLElement] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The character data directly inside, joined; that of inner elements is not part of it.
    package var text: String {
        var joined = ""
        for case .text(let text) in content { joined += text }
        return joined
    }

    /// The first element directly inside that is called `name`, in any namespace.
    package func child(_ name: String) -> XMLElement? {
        for case .element(let element) in content where element.name == name { return element }
        return nil
    }

    /// The elements directly inside that are called `name`, in any namespace.
    package func children(named name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }

    /// The value of the attribute called `name` without a namespace, or `nil`.
    package func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.isEmpty }?.value
    }
}
