/// One JSON value (RFC 8259) of a document whose shape is not known in advance: claims, policies, provider answers.
///
/// Whole numbers that fit are ``integer(_:)`` and keep every digit; all others are ``number(_:)``, so `3` and `3.0` are different values.
/// Equality of objects ignores the order of their members, as RFC 8259 section 4 asks.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Parses one whole document, strictly by RFC 8259: UTF-8 without byte order mark, nothing after the value, at most
    /// ``deepestNesting`` containers deep.
    /// - Parameter repeatedNames: what happens to an object that repeats a member name.
    package init(parsing bytes: some Sequence<UInt8>, repeatedNames: RepeatedNames = .refused) throws(JSONSyntaxError) {
        let parsed = bytes.withContiguousStorageIfAvailable { JSONParser.parse($0, repeatedNames) }
        self = try (parsed ?? Array(bytes).withUnsafeBufferPointer { JSONParser.parse($0, repeatedNames) }).get()
    }

    /// Parses one whole document given as text; see ``init(parsing:repeatedNames:)``.
    package init(parsing text: String) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8)
    }

    /// Containers that may be open at once; deeper documents are refused, so that a hostile one cannot exhaust the stack.
    package static let deepestNesting = 64
}

/// What a reader does with an object that repeats a member name (RFC 8259 section 4 leaves it open).
package enum RepeatedNames: Sendable {
    /// The document is refused.
    case refused
    /// The last value counts.
    case lastCounts
}

extension JSONValue {
    /// The value of an object's member; nil for a missing member and for everything that is not an object.
    package subscript(name: String) -> JSONValue? { objectValue?[name] }

    /// The text, if this is a string.
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The whole number, if this is one that was written without fraction and exponent.
    package var integerValue: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    /// The number, whole or not.
    package var numberValue: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The truth value, if this is one.
    package var boolValue: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The elements, if this is an array.
    package var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members, if this is an object.
    package var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(JSONObject(members)) }
}
