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
