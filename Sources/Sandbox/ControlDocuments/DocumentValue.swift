package import WireFormats

/// A value of a member of documents.
package protocol DocumentValue: Sendable {
    /// The value of a member that is missing.
    init()
    /// The JSON Schema of all values.
    static var schema: JSONValue { get }
    /// Reads a value; `nil` for JSON of another type.
    static func read(_ json: JSONValue) -> Self?
    /// The value in JSON; `nil` for none.
    var written: JSONValue? { get }
}

extension String: DocumentValue {
    package static let schema = Schemas.text
    package static func read(_ json: JSONValue) -> String? { json.stringValue }
    package var written: JSONValue? { .string(self) }
}

extension Int64: DocumentValue {
    package static let schema = Schemas.number
    package static func read(_ json: JSONValue) -> Int64? { json.integerValue }
    package var written: JSONValue? { .integer(self) }
}

extension Double: DocumentValue {
    package static let schema: JSONValue = ["type": "number"]
    package static func read(_ json: JSONValue) -> Double? { json.numberValue }
    package var written: JSONValue? { .number(self) }
}

extension Bool: DocumentValue {
    package static let schema = Schemas.flag
    package static func read(_ json: JSONValue) -> Bool? { json.boolValue }
    package var written: JSONValue? { .bool(self) }
}

extension JSONValue: DocumentValue {
    package init() { self = .null }
    package static let schema: JSONValue = [:]
    package static func read(_ json: JSONValue) -> JSONValue? { json }
    package var written: JSONValue? { self }
}

extension Optional: DocumentValue where Wrapped: DocumentValue {
    package init() { self = nil }
    package static var schema: JSONValue { Wrapped.schema }
    package static func read(_ json: JSONValue) -> Wrapped?? { .some(json == .null ? nil : Wrapped.read(json)) }
    package var written: JSONValue? { flatMap(\.written) }
}

extension Array: DocumentValue where Element: DocumentValue {
    package static var schema: JSONValue { Schemas.list(Element.schema) }
    package static func read(_ json: JSONValue) -> [Element]? { json.arrayValue?.compactMap(Element.read) }
    package var written: JSONValue? { .array(map { $0.written ?? .null }) }
}
