/// One JSON value (RFC 8259) of a document whose shape is not known in advance: claims, policies, responses of providers.
///
/// Whole numbers in range are ``integer(_:)`` and keep every digit; all others are ``number(_:)``. So `3` and `3.0` are different values.
/// Equality of objects ignores the order of their members, as RFC 8259 section 4 requires.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Texts are equal if their bytes are.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Parses one whole document, strictly by RFC 8259: UTF-8 without byte order mark, nothing after the value, at most
    /// ``deepestNesting`` levels of nesting.
    /// - Parameter repeatedNames: how to treat an object that repeats a member name.
    package init(parsing bytes: some Sequence<UInt8>, repeatedNames: RepeatedNames = .refused) throws(JSONSyntaxError) {
        let parsed = bytes.withContiguousStorageIfAvailable { JSONParser.parse($0, repeatedNames) }
        self = try (parsed ?? Array(bytes).withUnsafeBufferPointer { JSONParser.parse($0, repeatedNames) }).get()
    }

    /// Parses one whole document from text; see ``init(parsing:repeatedNames:)``.
    package init(parsing text: String) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8)
    }

    /// The maximum nesting of arrays and objects. Deeper documents are rejected, so that a hostile one cannot exhaust the stack.
    package static let deepestNesting = 64
}

/// How a parser treats an object that repeats a member name (RFC 8259 section 4 leaves it open).
package enum RepeatedNames: Sendable {
    /// The document is rejected.
    case refused
    /// The last value counts.
    case lastCounts
}

extension JSONValue {
    /// The value of an object's member; nil if the member is missing or this is not an object.
    package subscript(name: String) -> JSONValue? { objectValue?[name] }

    /// The text, if this is a string; otherwise `nil`.
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer, if this is a number that was written without fraction and exponent; otherwise `nil`.
    package var integerValue: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    /// The number, integer or not, if this is a number; otherwise `nil`.
    package var numberValue: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The Boolean, if this is one; otherwise `nil`.
    package var boolValue: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The elements, if this is an array; otherwise `nil`.
    package var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members, if this is an object; otherwise `nil`.
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
