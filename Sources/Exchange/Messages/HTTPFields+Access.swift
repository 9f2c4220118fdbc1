package import HTTPTypes

extension HTTPFields {
    /// The value of a field, several joined: what `self[name]` gives, which joins one value as it joins ten and takes five times
    /// as long for a field that is there.
    package func value(of name: HTTPField.Name) -> String? {
        guard contains(name) else { return nil }
        var found: String?
        for field in self where field.name == name {
            guard found == nil else { return self[name] }
            found = field.value
        }
        return found
    }
}

extension HTTPFields {
    /// Nothing that carries a token may be kept (RFC 6749 section 5.1).
    package static var unstored: HTTPFields { [.cacheControl: "no-store", .pragma: "no-cache"] }
}

extension HTTPField.Name {
    package static let pragma = HTTPField.Name(literal: "Pragma")

    /// A name that stands in the code.
    package init(literal: StaticString) {
        guard let name = HTTPField.Name(literal.description) else { preconditionFailure("\(literal) is no field name") }
        self = name
    }
}
