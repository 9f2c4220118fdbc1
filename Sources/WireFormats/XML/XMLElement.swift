/// An element of an XML document, parsed or being built.
package struct XMLElement: Hashable, Sendable {
    /// One attribute; namespace declarations are not among them.
    package struct Attribute: Hashable, Sendable {
        /// What stands before the colon of the name; empty for a name without one.
        package var prefix: String
        /// The name without its prefix.
        package var name: String
        /// The namespace of the prefix; empty for a name without one.
        package var namespace: String
        /// The value after entity and white-space normalisation.
        package var value: String

        package init(prefix: String = "", name: String, namespace: String, value: String) {
            self.prefix = prefix
            self.name = name
            self.namespace = namespace
            self.value = value
        }
    }

    /// A namespace that an element gives to a prefix. (Namespaces in XML 1.0, section 3.)
    package struct Declaration: Hashable, Sendable {
        /// Empty for the default namespace.
        package var prefix: String
        /// Empty where the default namespace is taken back.
        package var namespace: String

        package init(prefix: String, namespace: String) {
            self.prefix = prefix
            self.namespace = namespace
        }
    }

    /// What an element can hold.
    package enum Node: Hashable, Sendable {
        case element(XMLElement)
        /// Character data; never empty, and never beside another text.
        case text(String)
    }

    /// What stands before the colon of the name; empty for a name without one.
    package var prefix = ""
    /// The name without its prefix.
    package var name: String
    /// The namespace the element is in; empty for none.
    package var namespace: String
    /// The namespaces that the element declares, in document order, each prefix once.
    package var declarations: [Declaration] = []
    /// The attributes in document order.
    package var attributes: [Attribute] = []
    /// Elements and texts in document order; comments are gone.
    package var content: [Node] = []

    init(prefix: String, name: String, namespace: String) {
        self.prefix = prefix
        self.name = name
        self.namespace = namespace
    }

    /// Makes an element of a document that is built, with names and namespaces that are the caller's constants.
    ///
    /// Namespaces that names use need no declaration: ``serialized()`` writes them. Those that only values use, as `xsi:type`
    /// does, are appended to ``declarations``.
    /// - Parameters:
    ///   - name: with its prefix, if it has one: `saml:Assertion`.
    ///   - attributes: names without prefix; the others are appended to ``attributes``.
    package init(_ name: String, in namespace: String, attributes: KeyValuePairs<String, String> = [:], _ content: [Node] = []) {
        if let colon = name.utf8.firstIndex(of: 0x3A) {
            self.init(prefix: String(name[..<colon]), name: String(name[name.utf8.index(after: colon)...]), namespace: namespace)
        } else {
            self.init(prefix: "", name: name, namespace: namespace)
        }
        self.attributes = attributes.map { Attribute(name: $0.key, namespace: "", value: $0.value) }
        self.content = content
    }

    /// Makes an element that holds text alone.
    package init(_ name: String, in namespace: String, attributes: KeyValuePairs<String, String> = [:], text: String) {
        self.init(name, in: namespace, attributes: attributes, text.isEmpty ? [] : [.text(text)])
    }

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

    /// The first element directly inside that is called `name` in this namespace.
    package func child(_ name: String, in namespace: String) -> XMLElement? {
        for case .element(let element) in content where element.name == name && element.namespace == namespace { return element }
        return nil
    }

    /// The elements directly inside that are called `name` in this namespace.
    package func children(named name: String, in namespace: String) -> [XMLElement] {
        children.filter { $0.name == name && $0.namespace == namespace }
    }

    /// Whether the element is called `name` in this namespace.
    package func isNamed(_ name: String, in namespace: String) -> Bool { self.name == name && self.namespace == namespace }

    /// The elements directly inside that are called `name`, in any namespace.
    package func children(named name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }

    /// The value of the attribute called `name` without a namespace, or `nil`.
    package func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.isEmpty }?.value
    }
}
