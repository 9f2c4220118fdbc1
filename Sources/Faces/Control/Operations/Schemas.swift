import Seeds
import WireFormats

/// JSON Schemas that several calls share.
enum Schemas {
    static let status = object(["status": ["type": "string", "enum": ["ok"]]])
    static let text: JSONValue = ["type": "string"]
    static let flag: JSONValue = ["type": "boolean"]
    static let number: JSONValue = ["type": "integer"]
    static let optionalText: JSONValue = ["type": ["string", "null"]]
    static let duration: JSONValue = ["type": "string", "pattern": "^P", "description": "An ISO 8601 duration, such as PT1H5M."]
    static let date: JSONValue = ["type": "string", "format": "date-time"]
    static let anyObject: JSONValue = ["type": "object"]

    /// The schema of an error.
    static let error: JSONValue = [
        "type": "object", "required": ["error", "message"],
        "properties": ["error": text, "message": text],
    ]

    static func list(_ element: JSONValue) -> JSONValue { ["type": "array", "items": element] }

    static func choice(_ words: [String]) -> JSONValue { ["type": "string", "enum": .array(words.map { .string($0) })] }

    /// Returns a schema that also accepts `null`.
    static func optional(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, ["type": "null"]]] }

    /// The members that describe the journal as a whole.
    static let journalState: JSONObject = ["last": number, "first": number, "capture": optional(capture)]

    /// What the journal captures.
    static let capture = object(["body": number, "until": date])

    /// Headers, as a list that keeps their order.
    static let headers = list(object(["name": text, "value": text]))

    /// The body of a request or response.
    static let messageBody = object(["bytes": number, "truncated": flag, "text": text, "base64": text], required: ["bytes", "truncated"])

    /// Returns the schema of an object without other members.
    static func object(_ properties: JSONObject, required: [String]? = nil) -> JSONValue {
        let required = required ?? properties.names
        var schema: JSONObject = ["type": "object", "additionalProperties": false, "properties": .object(properties)]
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
        return .object(schema)
    }
}
