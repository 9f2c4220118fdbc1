package import WireFormats

/// JSON Schemas that several documents of the control API share.
package enum Schemas {
    /// The success of a call that returns nothing else.
    package static let status = object(["status": ["type": "string", "enum": ["ok"]]])
    /// Any string.
    package static let text: JSONValue = ["type": "string"]
    /// True or false.
    package static let flag: JSONValue = ["type": "boolean"]
    /// A whole number.
    package static let number: JSONValue = ["type": "integer"]
    /// Any string, or `null`.
    package static let optionalText: JSONValue = ["type": ["string", "null"]]
    /// A duration.
    package static let duration: JSONValue = [
        "type": "string", "pattern": "^P", "description": "An ISO 8601 duration, such as PT1H5M.",
    ]
    /// A date with a time.
    package static let date: JSONValue = ["type": "string", "format": "date-time"]
    /// Any object.
    package static let anyObject: JSONValue = ["type": "object"]

    /// The schema of an error.
    package static let error: JSONValue = [
        "type": "object", "required": ["error", "message"],
        "properties": ["error": text, "message": text],
    ]

    /// Returns the schema of an array.
    package static func list(_ element: JSONValue) -> JSONValue { ["type": "array", "items": element] }

    /// Returns the schema of one of several words.
    package static func choice(_ words: [String]) -> JSONValue { ["type": "string", "enum": .array(words.map { .string($0) })] }

    /// Returns a schema that also accepts `null`.
    package static func optional(_ schema: JSONValue) -> JSONValue {
        schema == text ? optionalText : ["anyOf": [schema, ["type": "null"]]]
    }

    /// Returns the schema of an object without other members.
    package static func object(_ properties: JSONObject, required: [String]? = nil) -> JSONValue {
        let required = required ?? properties.names
        var schema: JSONObject = ["type": "object", "additionalProperties": false, "properties": .object(properties)]
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
        return .object(schema)
    }
}
