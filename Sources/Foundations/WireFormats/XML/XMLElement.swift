/// An element of an XML document, parsed or being built.
package struct XMLElement: Hashable, Sendable {
    /// An attribute, but not a namespace declaration.
    package struct Attribute: Hashable, Sendable {
        /// The part of the name before the colon; empty if there is none.
        package var prefix: String
        /// The name without its prefix.
        package var name: String
        /// The namespace of the prefix; empty if there is no prefix.
        package var namespace: String
        /// The value after normalization of entities and white space.
        package var value: String

        package init(prefix: String = "", name: String, namespace: String, value: String) {
            self.prefix = prefix
            self.name = name
            self.namespace = namespace
            self.value = value
        }
    }

    /// A namespace that an element declares for a prefix. (Namespaces in XML 1.0, section 3.)
    package struct Declaration: Hashable, Sendable {
        /// The prefix; empty for the default namespace.
        package var prefix: String
        /// The namespace; empty if the element removes the default namespace.
        package var namespace: String

        package init(prefix: String, namespace: String) {
            self.prefix = prefix
            self.namespace = namespace
        }
    }

    /// A child of an element.
    package enum Node: Hashable, Sendable {
        case element(XMLElement)
        /// Character data; never empty, and never next to another text.
        case text(String)
    }

    /// The part of the name before the colon; empty if there is none.
    package var prefix = ""
    /// The name without its prefix.
    package var name: String
    /// The element's namespace; empty for none.
    package var namespace: String
    /// The namespaces that the element declares, in document order, each prefix once.
    package var declarations: [Declaration] = []
    /// The attributes in document order.
    package var attributes: [Attribute] = []
    /// Elements and texts in document order, without comments.
    package var content: [Node] = []

    init(prefix: String, name: String, namespace: String) {
        self.prefix = prefix
        self.name = name
        self.namespace = namespace
    }

    /// Creates an element of a document that is being built. Names and namespaces are constants of the caller.
    ///
    /// Namespaces that names use need no declaration: ``serialized()`` writes them. Those that only values use, as with `xsi:type`,
    /// must be appended to ``declarations``.
    /// - Parameters:
    ///   - name: the name, with its prefix if it has one: `saml:Assertion`.
    ///   - attributes: the attributes without prefix; append the others to ``attributes``.
    package init(_ name: String, in namespace: String, attributes: KeyValuePairs<String, String> = [:], _ content: [Node] = []) {
        if let colon = name.utf8.firstIndex(of: 0x3A) {
            self.init(prefix: String(name[..<colon]), name: String(name[name.utf8.index(after: colon)...]), namespace: namespace)
        } else {
            self.init(prefix: "", name: name, namespace: namespace)
        }
        self.attributes = attributes.map { Attribute(name: $0.key, namespace: "", value: $0.value) }
        self.content = content
    }

    /// Creates an element that contains only text.
    package init(_ name: String, in namespace: String, attributes: KeyValuePairs<String, String> = [:], text: String) {
        self.init(name, in: namespace, attributes: attributes, text.isEmpty ? [] : [.text(text)])
    }

    /// The child elements, in order.
    package var children: [XMLElement] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The character data directly inside, joined; that of inner elements is not included.
    package var text: String {
        var joined = ""
        for case .text(let text) in content { joined += text }
        return joined
    }

    /// Returns the first child element called `name`, in any namespace.
    package func child(_ name: String) -> XMLElement? {
        for case .element(let element) in content where element.name == name { return element }
        return nil
    }

    /// Returns the first child element called `name` in this namespace.
    package func child(_ name: String, in namespace: String) -> XMLElement? {
        for case .element(let element) in content where element.name == name && element.namespace == namespace { return element }
        return nil
    }

    /// Returns the child elements called `name` in this namespace.
    package func children(named name: String, in namespace: String) -> [XMLElement] {
        children.filter { $0.name == name && $0.namespace == namespace }
    }

    /// Returns whether the element is called `name` in this namespace.
    package func isNamed(_ name: String, in namespace: String) -> Bool { self.name == name && self.namespace == namespace }

    /// Returns the child elements called `name`, in any namespace.
    package func children(named name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }

    /// Returns the value of the attribute called `name` without a namespace, or `nil`.
    package func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.isEmpty }?.value
    }
}
