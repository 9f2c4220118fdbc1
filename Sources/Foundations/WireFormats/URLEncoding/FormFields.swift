/// The decoded names and values of an `application/x-www-form-urlencoded` text (URL Standard section 5), in the order of the
/// text. A name may occur more than once; names and values may be empty.
package struct FormFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One name with its value. A name without `=` has the empty value.
    package struct Field: Hashable, Sendable {
        /// The decoded name.
        package var name: String
        /// The decoded value.
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields in order.
    package var fields: [Field]

    /// Parses a form body or a query, where `+` is a space. Returns `nil` for an invalid escape or one that is not UTF-8.
    package init?(parsing text: String) {
        guard !text.isEmpty else {
            fields = []
            return
        }
        var text = text
        guard let fields = text.withUTF8(Self.parse) else { return nil }
        self.fields = fields
    }

    /// Parses a form body in UTF-8. Returns `nil` for an invalid escape or one that is not UTF-8.
    package init?(parsing bytes: [UInt8]) {
        guard let fields = bytes.withUnsafeBufferPointer(Self.parse) else { return nil }
        self.fields = fields
    }

    private static func parse(_ text: UnsafeBufferPointer<UInt8>) -> [Field]? {
        var fields: [Field] = []
        fields.reserveCapacity(8)
        var start = 0
        while start < text.count {
            let end = text.place(of: 0x26, from: start)
            defer { start = end + 1 }
            if start == end { continue }
            let part = UnsafeBufferPointer(rebasing: text[start..<end])
            let equals = part.place(of: 0x3D, from: 0)
            guard let name = formDecoded(part[..<equals]), let value = formDecoded(part[equals...].dropFirst()) else { return nil }
            fields.append(Field(name: name, value: value))
        }
        return fields
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map(Field.init)
    }

    /// The value of the first field called `name`, or `nil` if there is none.
    package subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// Returns the value of the first field called `name`, or `nil` if there is none.
    package func first(_ name: String) -> String? {
        self[name]
    }

    /// Returns the value of `name`, or `nil` if it is absent or empty (RFC 6749 section 3.1).
    package func value(_ name: String) -> String? {
        guard let value = self[name], !value.isEmpty else { return nil }
        return value
    }

    /// The first name that occurs twice, which RFC 6749 sections 3.1 and 3.2 forbid; `nil` if there is none.
    package var repeatedName: String? {
        // For a few names, comparing is faster than hashing.
        guard fields.count > 16 else {
            return fields.indices.first { index in fields[..<index].contains { $0.name == fields[index].name } }.map { fields[$0].name }
        }
        var names: Set<String> = []
        return fields.first { !names.insert($0.name).inserted }?.name
    }

    /// Returns every value of `name` in order.
    package func all(named name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// The form as text. Its escaping is strict enough for a body and for a query (a space is `%20`).
    package var encoded: String {
        fields.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&")
    }
}
