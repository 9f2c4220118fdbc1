package import Cloud
package import WireFormats

/// The policy document of a form: its expiration and conditions on its fields.
/// (S3 API Reference, "POST Policy"; OSS API Reference, "PostObject", "Appendix: Policy".)
package struct PostPolicy: Equatable, Sendable {
    /// The service that defines the syntax: OSS supports lists of values, and S3 allows only the two members.
    package enum Service: Sendable {
        case s3
        case oss
    }

    /// A condition on the fields of the form.
    package enum Condition: Equatable, Sendable {
        /// The name as written, with its `$`.
        case equals(name: String, value: String)
        case startsWith(name: String, prefix: String)
        case isAmong(name: String, values: [String])
        case isNotAmong(name: String, values: [String])
        case contentLength(ClosedRange<Int64>)
        /// A range with invalid limits, which no file matches.
        case noContentLength(String, String)
    }

    /// When the policy expires.
    package var expiration: Timestamp
    /// The conditions, all of which must be met.
    package var conditions: [Condition]

    /// Returns the minimum and maximum size of the file in bytes.
    /// - Parameter maximum: the maximum size that the service accepts.
    package func contentLength(upTo maximum: Int64) -> (least: Int64, most: Int64) {
        conditions.reduce((0, maximum)) { limits, condition in
            guard case .contentLength(let range) = condition else { return limits }
            return (max(limits.0, range.lowerBound), min(limits.1, range.upperBound))
        }
    }

    /// The signing time that a condition requires of a form in Version 4; `nil` if no condition names one, as for forms of older versions.
    package var signed: Timestamp? {
        for case .equals(let name, let value) in conditions where ["$x-amz-date", "$x-oss-date"].contains(name.lowercased()) {
            return Timestamp(basic: value)
        }
        return nil
    }

    /// Whether the policy has expired. A form of Version 4 has a signing time, so that its lifetime is measured in the sandbox's time,
    /// which can be advanced. For other forms the expiration is compared with real time.
    package func isExpired(signed: Timestamp?, by clock: SandboxClock) -> Bool {
        guard let signed else { return expiration <= clock.wall }
        let moment = clock.moment(ofWall: signed)
        return clock.hasExpired(expiration + (moment - signed), issuedAt: moment)
    }
}

/// The error for an invalid policy document, with the message of the services.
///
/// S3 refuses a condition that it cannot parse here, too, and does not take it for one that is not met: ceph/s3-tests, which pass on S3,
/// expect this of a wrong number of arguments, and versity/versitygw ("PostObject_invalid_policy_document") has the texts.
package struct PostPolicyFault: Error, Equatable {
    /// A human-readable description.
    package var message: String

    init(_ message: String) { self.message = message }
}

extension PostPolicy {
    /// Parses the form field `policy`.
    /// - Parameter text: the document in base64.
    package init(base64 text: String, of service: Service) throws(PostPolicyFault) {
        guard let document = [UInt8](base64: text.filter { !$0.isWhitespace }) else { throw PostPolicyFault("invalid Base64 encoding.") }
        if service == .s3, document.isEmpty { throw PostPolicyFault("Expecting '{' but found End-of-Input") }
        let strict = service == .s3 ? Self.strict(document) : document
        guard let members = (try? JSONValue(parsing: strict))?.objectValue else { throw PostPolicyFault("Invalid JSON.") }
        if service == .s3, let name = members.names.first(where: { $0 != "expiration" && $0 != "conditions" }) {
            throw PostPolicyFault("Unexpected: '\(name.lowercased())'")
        }
        guard let expiration = members["expiration"] else { throw PostPolicyFault("Policy missing expiration.") }
        guard let conditions = members["conditions"] else { throw PostPolicyFault("Policy missing conditions.") }
        let moment = expiration.stringValue ?? expiration.serialized()
        guard moment.hasSuffix("Z"), let end = Timestamp(iso8601: moment) else {
            throw PostPolicyFault("Invalid 'expiration' value: '\(moment)'")
        }
        guard let list = conditions.arrayValue else { throw PostPolicyFault("Invalid 'conditions' value: must be a List.") }
        self.init(expiration: end, conditions: [])
        for condition in list { self.conditions.append(try Condition(condition, of: service)) }
    }

    /// Replaces the two escapes that S3 accepts and JSON does not: `\$` and `\v`.
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
    fileprivate init(_ value: JSONValue, of service: PostPolicy.Service) throws(PostPolicyFault) {
        if let members = value.objectValue {
            guard let (name, value) = members.members.first, members.count == 1 else {
                throw PostPolicyFault("Invalid Simple-Condition: Simple-Conditions must have exactly one property specified.")
            }
            guard let text = value.stringValue else { throw PostPolicyFault("Invalid Simple-Condition: value must be a string.") }
            self = .equals(name: "$\(name)", value: text)
            return
        }
        guard let list = value.arrayValue else { throw PostPolicyFault("Invalid condition test: must be a List or Object.") }
        guard let operation = list.first?.stringValue else {
            throw PostPolicyFault("Invalid Condition: missing operation identifier.")
        }
        let kind = operation.lowercased()
        let isOfLists = service == .oss && (kind == "in" || kind == "not-in")
        guard isOfLists || ["eq", "starts-with", "content-length-range"].contains(kind) else {
            throw PostPolicyFault("Invalid Condition: unknown operation '\(operation)'.")
        }
        guard list.count == 3 else { throw PostPolicyFault("Invalid \(operation): wrong number of arguments.") }
        if kind == "content-length-range" {
            self = try Self.contentLength(list[1], list[2], of: service)
            return
        }
        guard let name = list[1].stringValue else { throw PostPolicyFault("Invalid JSON.") }
        guard service == .s3 || name.hasPrefix("$") else {
            throw PostPolicyFault("Invalid \(operation): the name of a field must begin with '$'.")
        }
        if isOfLists {
            guard let values = list[2].arrayValue, values.allSatisfy({ $0.stringValue != nil }) else {
                throw PostPolicyFault("Invalid \(operation): the values must be a List of strings.")
            }
            let texts = values.compactMap(\.stringValue)
            self = kind == "in" ? .isAmong(name: name, values: texts) : .isNotAmong(name: name, values: texts)
            return
        }
        guard let text = list[2].stringValue else { throw PostPolicyFault("Invalid JSON.") }
        self = kind == "eq" ? .equals(name: name, value: text) : .startsWith(name: name, prefix: text)
    }

    /// Parses a range. The limits are integers, or strings with integers.
    private static func contentLength(
        _ least: JSONValue, _ most: JSONValue, of service: PostPolicy.Service
    ) throws(PostPolicyFault) -> Self {
        let texts = [least, most].map { $0.stringValue ?? $0.integerValue.map { String($0) } }
        guard let first = texts[0], let second = texts[1] else { throw PostPolicyFault("Invalid JSON.") }
        if (least.integerValue ?? 0) < 0 || (most.integerValue ?? 0) < 0 { throw PostPolicyFault("Token - must be enclosed in quotes.") }
        guard let lower = Int64(decimal: first), let upper = Int64(decimal: second), lower <= upper, service == .s3 || lower >= 0 else {
            guard service == .s3 else {
                throw PostPolicyFault("Invalid content-length-range: the limits must be whole numbers, the lesser first.")
            }
            return .noContentLength(first, second)
        }
        return .contentLength(lower...upper)
    }

    /// Returns the condition as a list for error messages. S3 shows lengths as strings.
    package func text(of service: PostPolicy.Service) -> String {
        let parts: [JSONValue] =
            switch self {
            case .equals(let name, let value): ["eq", .string(name), .string(value)]
            case .startsWith(let name, let prefix): ["starts-with", .string(name), .string(prefix)]
            case .isAmong(let name, let values): ["in", .string(name), .array(values.map(JSONValue.string))]
            case .isNotAmong(let name, let values): ["not-in", .string(name), .array(values.map(JSONValue.string))]
            case .contentLength(let range) where service == .oss:
                ["content-length-range", .integer(range.lowerBound), .integer(range.upperBound)]
            case .contentLength(let range):
                ["content-length-range", .string(String(range.lowerBound)), .string(String(range.upperBound))]
            case .noContentLength(let least, let most): ["content-length-range", .string(least), .string(most)]
            }
        return "[" + parts.map { $0.serialized() }.joined(separator: ", ") + "]"
    }
}
