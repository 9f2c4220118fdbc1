package import WireFormats

/// The shape of a part of seeds: its keys, types and allowed values. JSON Schemas are generated from it.
indirect enum SeedShape: Sendable {
    case text
    /// A string that matches a regular expression.
    case pattern(String)
    case words([String])
    case integer(ClosedRange<Int>)
    case flag
    case anything
    /// A policy document.
    case policy
    case list(SeedShape, atLeast: Int = 0)
    /// An object with any keys.
    case map(SeedShape)
    case object(String, [SeedKey])
    case either([SeedShape])

    /// The shape as JSON Schema, draft 2020-12.
    var schema: JSONObject {
        switch self {
        case .text: ["type": "string"]
        case .pattern(let pattern): ["type": "string", "pattern": .string(pattern)]
        case .words(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
        case .integer(let range):
            ["type": "integer", "minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound))]
        case .flag: ["type": "boolean"]
        case .anything: [:]
        case .policy: ["type": "object", "required": ["Statement"]]
        case .list(let element, let minimum):
            minimum == 0
                ? ["type": "array", "items": .object(element.schema)]
                : ["type": "array", "items": .object(element.schema), "minItems": .integer(Int64(minimum))]
        case .map(let value): ["type": "object", "additionalProperties": .object(value.schema)]
        case .either(let shapes): ["anyOf": .array(shapes.map { .object($0.schema) })]
        case .object(let title, let keys): Self.object(title, keys)
        }
    }

    private static func object(_ title: String, _ keys: [SeedKey]) -> JSONObject {
        var properties = JSONObject()
        for key in keys {
            var schema: JSONObject = ["description": .string(key.description)]
            for (name, value) in key.shape.schema.members { schema[name] = value }
            properties[key.name] = .object(schema)
        }
        var schema: JSONObject = [
            "title": .string(title), "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        let required = keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return schema
    }
}

extension SeedShape {
    /// The name of an entity of IAM.
    static let entityName = pattern("^[A-Za-z0-9_+=,.@-]+$")
    /// The path of an entity of IAM.
    static let entityPath = pattern("^/([!-~]*/)?$")
    /// A string that is not empty.
    static let nonempty = pattern("^[\\s\\S]+$")
    /// The URL of an issuer.
    static let issuer = pattern("^https://[^?#\\s]+$")
}

/// A key of an object in seeds.
struct SeedKey: Sendable {
    var name: String
    var description: String
    var shape: SeedShape
    var isRequired: Bool

    init(_ name: String, _ shape: SeedShape, _ description: String, required: Bool = false) {
        self.name = name
        self.shape = shape
        self.description = description
        isRequired = required
    }
}

/// The JSON Schema of seeds.
package enum SeedSchema {
    /// Returns the schema of a part of seeds.
    /// - Parameter keys: the path of the part, such as `mobileCloud`, `backends`. The key of a list selects the schema of its elements.
    /// - Returns: `nil` if seeds have no such keys.
    package static func part(_ keys: String...) -> JSONValue? {
        var shape = Seed.record.shape
        for key in keys {
            guard case .object(_, let known) = shape, let next = known.first(where: { $0.name == key })?.shape else { return nil }
            if case .list(let element, _) = next { shape = element } else { shape = next }
        }
        return .object(shape.schema)
    }

    /// The whole schema, in draft 2020-12, with titles and descriptions.
    package static var document: JSONValue {
        var schema: JSONObject = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
        for (name, value) in Seed.record.shape.schema.members { schema[name] = value }
        return .object(schema)
    }
}
