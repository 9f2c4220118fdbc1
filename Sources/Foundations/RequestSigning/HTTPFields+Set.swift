import HTTPTypes

extension HTTPFields {
    /// Sets or removes a header. The name is a constant of the signers.
    mutating func set(_ name: String, _ value: String?) {
        guard let name = HTTPField.Name(name) else { return }
        self[name] = value
    }
}
