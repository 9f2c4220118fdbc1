/// The names and values of a query as received, still percent-encoded and in order, which is the form that signatures cover.
package struct RawQuery: Hashable, Sendable {
    /// One part between two `&`. The value is `nil` if there is no `=`.
    package struct Item: Hashable, Sendable {
        /// The name as received, not decoded.
        package var name: Substring
        /// The value as received, not decoded; `nil` if there is no `=`.
        package var value: Substring?

        /// The decoded name, with `+` as a space; `nil` for an invalid escape.
        package var decodedName: String? { formDecoded(name) }

        /// The decoded value, with `+` as a space, and empty if there is none; `nil` for an invalid escape.
        package var decodedValue: String? { formDecoded(value ?? "") }

        package init(name: Substring, value: Substring?) {
            self.name = name
            self.value = value
        }
    }

    /// Every item in order, without empty parts (`a&&b`).
    package var items: [Item]

    /// Splits the text after the `?`. It decodes nothing, so it cannot fail.
    package init(_ query: Substring) {
        items = query.utf8.split(separator: 0x26).map { part in
            guard let equals = part.firstIndex(of: 0x3D) else { return Item(name: Substring(part), value: nil) }
            return Item(name: Substring(part[..<equals]), value: Substring(part[equals...].dropFirst()))
        }
    }

    /// Splits the text after the `?`; `nil` counts as the empty query.
    package init(_ query: String?) {
        self.init((query ?? "")[...])
    }

    /// The query as text again, without the `?`.
    package var text: String {
        items.map { item in item.value.map { "\(item.name)=\($0)" } ?? String(item.name) }.joined(separator: "&")
    }

    /// The first item whose name is exactly `name`, or else the first whose name decodes to it. The item's value distinguishes an empty
    /// value from a missing one.
    package subscript(name: String) -> Item? {
        items.first { $0.name == name } ?? items.first { $0.name.utf8.contains(0x25) && $0.decodedName == name }
    }
}
