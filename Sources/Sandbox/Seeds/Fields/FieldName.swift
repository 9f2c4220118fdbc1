/// The name of a field or any other key of an object, or the index of an element of a list.
struct FieldName: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(_ name: String) { stringValue = name }

    init(index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { nil }
}

/// The members of an object in a seed, by the names of its fields.
typealias SeedMembers = KeyedDecodingContainer<FieldName>

extension SeedMembers {
    /// Returns whether the object has a field.
    func has(_ name: String) -> Bool { contains(FieldName(name)) }

    /// Returns a fault that spans several fields.
    /// - Parameters:
    ///   - name: the field that the fault is reported at.
    ///   - expected: what is expected there.
    func fault(_ name: String, expecting expected: String) -> DecodingError {
        .dataCorruptedError(forKey: FieldName(name), in: self, debugDescription: expected)
    }
}
