extension JSONValue: Codable {
    /// Reads any value from a decoder. Decoders do not preserve the order of members, so they are sorted by name.
    package init(from decoder: any Decoder) throws {
        // Most values are strings, and every failed attempt costs an error.
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .string(text)
            return
        }
        if let container = try? decoder.container(keyedBy: MemberName.self) {
            var object = JSONObject()
            for name in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                // The keys of a container are unique, so none is searched for: an object of a seed can have any number.
                object.append(unique: name.stringValue, try container.decode(JSONValue.self, forKey: name))
            }
            self = .object(object)
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let bool): try bool.encode(to: encoder)
        case .integer(let integer): try integer.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .array(let elements): try elements.encode(to: encoder)
        case .object(let object):
            var container = encoder.container(keyedBy: MemberName.self)
            for (name, value) in object.members { try container.encode(value, forKey: MemberName(stringValue: name)) }
        }
    }

    private struct MemberName: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSONObject: Codable {
    /// Reads a JSON object. Decoders do not preserve the order of its members.
    package init(from decoder: any Decoder) throws {
        guard let object = try JSONValue(from: decoder).objectValue else {
            throw DecodingError.typeMismatch(
                JSONObject.self, .init(codingPath: decoder.codingPath, debugDescription: "an object"))
        }
        self = object
    }

    package func encode(to encoder: any Encoder) throws { try JSONValue.object(self).encode(to: encoder) }
}
