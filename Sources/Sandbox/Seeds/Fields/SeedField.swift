import WireFormats

/// One key of an object in seeds: its name, how its value is read, written and described, and a sentence about it.
package struct SeedField<Record: Sendable>: Sendable {
    let name: String
    private let makeShape: @Sendable () -> SeedShape
    let sentence: String
    let isRequired: Bool
    /// Whether the field is left out of an export if its value is that of a record without it.
    let isOmittedAtDefault: Bool
    let read: @Sendable (SeedMembers, inout Record) throws -> Void
    let write: @Sendable (Record) throws -> JSONValue?

    /// - Parameter shape: the shape, which only the JSON Schema needs.
    init(
        name: String, shape: @autoclosure @escaping @Sendable () -> SeedShape, sentence: String, isRequired: Bool, isOmittedAtDefault: Bool,
        read: @escaping @Sendable (SeedMembers, inout Record) throws -> Void, write: @escaping @Sendable (Record) throws -> JSONValue?
    ) {
        self.name = name
        makeShape = shape
        self.sentence = sentence
        self.isRequired = isRequired
        self.isOmittedAtDefault = isOmittedAtDefault
        self.read = read
        self.write = write
    }

    var shape: SeedShape { makeShape() }

    /// A field that every record has.
    static func required<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ codec: FieldCodec<Value>, _ sentence: String
    ) -> SeedField {
        let key = FieldName(name)
        return SeedField(
            name: name, shape: codec.shape, sentence: sentence, isRequired: true, isOmittedAtDefault: false,
            read: { members, record in
                if let value = try codec.read(members, key) {
                    record[keyPath: path] = value
                } else if !members.contains(key) {
                    try members.reportMissing(key, expecting: codec.expected)
                }
            },
            write: { try codec.write($0[keyPath: path]) })
    }

    /// A field that a record can have or not.
    static func optional<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Record, Value?> & Sendable, _ codec: FieldCodec<Value>, _ sentence: String
    ) -> SeedField {
        let key = FieldName(name)
        return SeedField(
            name: name, shape: codec.shape, sentence: sentence, isRequired: false, isOmittedAtDefault: false,
            read: { members, record in record[keyPath: path] = members.contains(key) ? try codec.read(members, key) : nil },
            write: { record in
                guard let value = record[keyPath: path] else { return JSONValue?.none }
                return try codec.write(value)
            })
    }

    /// A field with a default, which is the value in a blank record.
    /// - Parameter isAlwaysWritten: whether exports have the field even if its value is the default.
    static func defaulted<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable, _ codec: FieldCodec<Value>, _ sentence: String,
        isAlwaysWritten: Bool = false
    ) -> SeedField {
        let key = FieldName(name)
        return SeedField(
            name: name, shape: codec.shape, sentence: sentence, isRequired: false, isOmittedAtDefault: !isAlwaysWritten,
            read: { members, record in
                if members.contains(key), let value = try codec.read(members, key) { record[keyPath: path] = value }
            },
            write: { try codec.write($0[keyPath: path]) })
    }
}
