import WireFormats

/// The result of an operation: a tree that is written as JSON or XML, by the caller's `Format`. (Alibaba Cloud OpenAPI, "Responses".)
indirect enum RPCValue: Equatable, Sendable {
    case text(String)
    case integer(Int64)
    case flag(Bool)
    /// Members in order. Members without a value must be omitted by the caller.
    case object([Member])
    /// Elements with one name. In JSON they are an array in an object with one member, so that a list is doubly nested in either format.
    case list(of: String, [RPCValue])
    /// Elements without a name of their own, as a few newer operations return them.
    case array([RPCValue])

    struct Member: Equatable, Sendable {
        var name: String
        var value: RPCValue
    }

    /// The value of a member of an object.
    subscript(name: String) -> RPCValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Creates an object of the members that have a value.
    static func members(_ members: KeyValuePairs<String, RPCValue?>) -> RPCValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }
}

extension RPCValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(dictionaryLiteral elements: (String, RPCValue)...) { self = .object(elements.map { Member(name: $0.0, value: $0.1) }) }

    init(stringLiteral text: String) { self = .text(text) }

    init(integerLiteral number: Int64) { self = .integer(number) }

    init(booleanLiteral flag: Bool) { self = .flag(flag) }
}

extension RPCValue {
    var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .flag(let flag): .bool(flag)
        case .object(let members): .object(JSONObject(members.map { ($0.name, $0.value.json) }))
        case .list(let name, let elements): .object([name: .array(elements.map(\.json))])
        case .array(let elements): .array(elements.map(\.json))
        }
    }

    /// Writes the value as an XML element.
    func encode(as name: String, into xml: inout XMLWriter) {
        switch self {
        case .text(let text): xml.element(name, text)
        case .integer(let number): xml.element(name, number)
        case .flag(let flag): xml.element(name, flag ? "true" : "false")
        case .object(let members):
            xml.element(name) { xml in
                for member in members { member.value.encode(as: member.name, into: &xml) }
            }
        case .list(let element, let elements):
            xml.element(name) { xml in
                for value in elements { value.encode(as: element, into: &xml) }
            }
        case .array(let elements):
            for value in elements { value.encode(as: name, into: &xml) }
        }
    }
}

/// The format of a response.
enum RPCFormat: Sendable {
    case json
    case xml

    /// The content type. Clients compare it as a whole. (Alibaba Cloud OpenAPI, "Common parameters", `Format`.)
    var contentType: String {
        switch self {
        case .json: "application/json;charset=utf-8"
        case .xml: "text/xml;charset=utf-8"
        }
    }

    /// Returns the whole document. In XML, `root` is the name of the root element, without a namespace.
    func document(_ value: RPCValue, root: String) -> [UInt8] {
        switch self {
        case .json: return value.json.serializedBytes()
        case .xml:
            var xml = XMLWriter(capacity: 1024)
            xml.declaration()
            value.encode(as: root, into: &xml)
            return xml.bytes
        }
    }
}
