package import WireFormats

/// An object in seeds, described once by its fields: reading it, writing it and its JSON Schema follow from them.
package struct SeedRecord<Value: Sendable>: Sendable {
    /// The title in the JSON Schema.
    let title: String
    /// A record before its fields are read, with their defaults.
    let blank: Value
    let fields: [SeedField<Value>]
    /// Current names of fields, by their earlier names.
    let renamed: [String: String]
    private let names: [String]
    /// The rules that span several fields.
    private let finish: @Sendable (inout Value, SeedMembers) throws -> Void

    /// - Parameters:
    ///   - fields: the fields, in the order in which they are read, written and listed.
    ///   - finish: checks the rules that span several fields. It reports or throws faults.
    init(
        _ title: String, blank: Value, renamed: [String: String] = [:], fields: [SeedField<Value>],
        finish: @escaping @Sendable (inout Value, SeedMembers) throws -> Void = { _, _ in }
    ) {
        self.title = title
        self.blank = blank
        self.renamed = renamed
        self.fields = fields
        self.finish = finish
        names = fields.map(\.name)
    }

    /// Reads a record. Unknown keys are rejected.
    /// - Throws: `DecodingError`.
    func decode(from decoder: any Decoder) throws -> Value {
        let members = try decoder.members(named: names, renamed: renamed)
        var record = blank
        for field in fields { try field.read(members, &record) }
        try finish(&record, members)
        return record
    }

    /// Returns the record in the format of seeds, with its fields in order.
    /// - Throws: an encoding error.
    package func json(of record: Value) throws -> JSONObject {
        var json = JSONObject()
        for field in fields {
            let value = try field.write(record)
            if field.isOmittedAtDefault, try value == field.write(blank) { continue }
            json[field.name] = value
        }
        return json
    }

    /// Returns whether records have a field.
    func has(_ name: String) -> Bool { names.contains(name) }

    /// The shape of the object, for its JSON Schema.
    var shape: SeedShape {
        .object(title, fields.map { SeedKey($0.name, $0.shape, $0.sentence, required: $0.isRequired) })
    }
}
