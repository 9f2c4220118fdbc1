import HTTPTypes
import WireFormats

extension FormFields {
    /// Reads the members in a JSON document; there are none in an empty body.
    init(membersIn body: [UInt8]) throws(ServiceError) {
        self = [:]
        guard !body.isEmpty else { return }
        guard let document = (try? JSONValue(parsing: body))?.objectValue else {
            throw ServiceError("SerializationException", .badRequest, "The request body is not a JSON object.")
        }
        for (name, value) in document.members { append(value, named: name) }
    }

    /// Appends a member, and those of lists and structures with the names that the Query protocol gives them.
    private mutating func append(_ value: JSONValue, named name: String) {
        switch value {
        case .null: break
        case .bool(let flag): fields.append(Field(name: name, value: flag ? "true" : "false"))
        case .integer(let number): fields.append(Field(name: name, value: String(number)))
        case .number(let number): fields.append(Field(name: name, value: String(number)))
        case .string(let text): fields.append(Field(name: name, value: text))
        case .array(let elements):
            for (index, element) in elements.enumerated() { append(element, named: "\(name).member.\(index + 1)") }
        case .object(let object):
            for (member, value) in object.members { append(value, named: "\(name).\(member)") }
        }
    }
}
