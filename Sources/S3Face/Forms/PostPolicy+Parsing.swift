import WireFormats

extension PostPolicy {
    /// Reads the field `policy`.
    /// - Parameter text: the document in base 64.
    /// - Throws: `InvalidPolicyDocument`.
    init(base64 text: String) throws(S3Error) {
        guard let document = [UInt8](base64: text.filter { !$0.isWhitespace }) else { throw .invalid("invalid Base64 encoding.") }
        guard let members = (try? JSONValue(parsing: Self.strict(document)))?.objectValue else { throw .invalid("Invalid JSON.") }
        for name in members.names where name != "expiration" && name != "conditions" {
            throw .invalid("Unexpected: '\(name.lowercased())'")
        }
        guard let expiration = members["expiration"] else { throw .invalid("Policy missing expiration.") }
        guard let conditions = members["conditions"] else { throw .invalid("Policy missing conditions.") }
        let moment = expiration.stringValue ?? expiration.serialized()
        guard moment.hasSuffix("Z"), let end = Timestamp(iso8601: moment) else {
            throw .invalid("Invalid 'expiration' value: '\(moment)'")
        }
        guard let list = conditions.arrayValue else { throw .invalid("Invalid 'conditions' value: must be a List.") }
        self.expiration = end
        self.conditions = []
        for condition in list { self.conditions.append(try Condition(condition)) }
    }

    /// The document with the two escapes that its language has and JSON has not: `\$` and `\v`.
    private static func strict(_ document: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(document.count)
        var index = 0
        while index < document.count {
            let byte = document[index]
            index += 1
            guard byte == 0x5C, index < document.count else {
                bytes.append(byte)
                continue
            }
            switch document[index] {
            case UInt8(ascii: "$"): bytes.append(UInt8(ascii: "$"))
            case UInt8(ascii: "v"): bytes.append(contentsOf: #"\u000b"#.utf8)
            default: bytes.append(contentsOf: [byte, document[index]])
            }
            index += 1
        }
        return bytes
    }
}

extension PostPolicy.Condition {
    fileprivate init(_ value: JSONValue) throws(S3Error) {
        if let members = value.objectValue {
            guard let (name, value) = members.members.first, members.count == 1 else {
                throw .invalid(
                    "Invalid Simple-Condition: Simple-Conditions must have exactly one property specified.")
            }
            guard let text = value.stringValue else { throw .invalid("Invalid Simple-Condition: value must be a string.") }
            self = .equals(name: "$\(name)", value: text)
            return
        }
        guard let list = value.arrayValue else { throw .invalid("Invalid condition test: must be a List or Object.") }
        guard let operation = list.first?.stringValue else { throw .invalid("Invalid Condition: missing operation identifier.") }
        let kind = operation.lowercased()
        guard ["eq", "starts-with", "content-length-range"].contains(kind) else {
            throw .invalid("Invalid Condition: unknown operation '\(operation)'.")
        }
        guard list.count == 3 else { throw .invalid("Invalid \(operation): wrong number of arguments.") }
        if kind == "content-length-range" {
            self = try Self.contentLength(list[1], list[2])
            return
        }
        guard let name = list[1].stringValue, let text = list[2].stringValue else { throw .invalid("Invalid JSON.") }
        self = kind == "eq" ? .equals(name: name, value: text) : .startsWith(name: name, prefix: text)
    }

    /// The limits are whole numbers, or texts of such.
    private static func contentLength(_ least: JSONValue, _ most: JSONValue) throws(S3Error) -> Self {
        let texts = [least, most].map { $0.stringValue ?? $0.integerValue.map { String($0) } }
        guard let first = texts[0], let second = texts[1] else { throw .invalid("Invalid JSON.") }
        if (least.integerValue ?? 0) < 0 || (most.integerValue ?? 0) < 0 { throw .invalid("Token - must be enclosed in quotes.") }
        guard let lower = Int64(decimal: first), let upper = Int64(decimal: second), lower <= upper else {
            return .noContentLength(first, second)
        }
        return .contentLength(lower...upper)
    }
}

extension S3Error {
    fileprivate static func invalid(_ text: String) -> S3Error { S3Error(.invalidPolicyDocument, "Invalid Policy: \(text)") }
}
