import ObjectServing
import WireFormats

/// The policy document of a form: until when it may be posted, and with what fields. (OSS API Reference, "PostObject", "Appendix: Policy".)
///
/// Unlike S3's it need not speak of every field, and knows lists of values.
struct OSSPostPolicy: Equatable {
    enum Condition: Equatable {
        /// The name with its `$`, as written.
        case equals(name: String, value: String)
        case startsWith(name: String, prefix: String)
        case isAmong(name: String, values: [String])
        case isNotAmong(name: String, values: [String])
        case contentLength(ClosedRange<Int64>)
    }

    var expiration: Timestamp
    var conditions: [Condition]

    /// Holds a form against the policy. The length of the file is a matter of its content.
    /// - Parameters:
    ///   - key: with the name of the file put in.
    ///   - isExpired: whether the expiration has come.
    /// - Throws: `AccessDenied`.
    func check(_ form: PostedForm, bucket: String, key: String, isExpired: Bool) throws(OSSError) {
        guard !isExpired else { throw .policy("Policy expired.") }
        // Keys are bytes: what only looks alike is another.
        func bytes(_ name: String) -> String.UTF8View? { Self.value(of: name, form, bucket, key)?.utf8 }
        for condition in conditions {
            let holds: Bool
            switch condition {
            case .equals(let name, let value): holds = bytes(name).map { $0.elementsEqual(value.utf8) } ?? false
            case .startsWith(let name, let prefix): holds = bytes(name).map { $0.starts(with: prefix.utf8) } ?? prefix.isEmpty
            case .isAmong(let name, let values): holds = bytes(name).map { $0.isAmong(values) } ?? false
            case .isNotAmong(let name, let values): holds = bytes(name).map { !$0.isAmong(values) } ?? true
            case .contentLength: holds = true
            }
            guard holds else { throw .policy("Policy Condition failed: \(condition.text)") }
        }
    }

    /// How many bytes the file may have, of what OSS takes at all.
    func contentLength(upTo maximum: Int64) -> (least: Int64, most: Int64) {
        conditions.reduce((0, maximum)) { limits, condition in
            guard case .contentLength(let range) = condition else { return limits }
            return (max(limits.0, range.lowerBound), min(limits.1, range.upperBound))
        }
    }

    /// - Parameter name: with its `$`; nothing has a name without.
    private static func value(of name: String, _ form: PostedForm, _ bucket: String, _ key: String) -> String? {
        guard name.hasPrefix("$") else { return nil }
        return switch name.dropFirst().lowercased() {
        // The address decides, whatever a field says.
        case "bucket": bucket
        case "key": key
        case "content-type": form["content-type"] ?? form["x-oss-content-type"] ?? form.fileType
        case let name: form[name]
        }
    }
}

extension OSSPostPolicy.Condition {
    /// As the refusal shows it: every condition as a list.
    fileprivate var text: String {
        let parts: [JSONValue] =
            switch self {
            case .equals(let name, let value): ["eq", .string(name), .string(value)]
            case .startsWith(let name, let prefix): ["starts-with", .string(name), .string(prefix)]
            case .isAmong(let name, let values): ["in", .string(name), .array(values.map(JSONValue.string))]
            case .isNotAmong(let name, let values): ["not-in", .string(name), .array(values.map(JSONValue.string))]
            case .contentLength(let range):
                ["content-length-range", .integer(range.lowerBound), .integer(range.upperBound)]
            }
        return "[" + parts.map { $0.serialized() }.joined(separator: ", ") + "]"
    }
}

extension OSSPostPolicy {
    /// Reads the field `policy`.
    /// - Parameter text: the document in base 64.
    /// - Throws: `InvalidPolicyDocument`.
    init(base64 text: String) throws(OSSError) {
        guard let document = [UInt8](base64: text.filter { !$0.isWhitespace }) else { throw .invalid("invalid Base64 encoding.") }
        guard let members = (try? JSONValue(parsing: document))?.objectValue else { throw .invalid("Invalid JSON.") }
        guard let expiration = members["expiration"]?.stringValue else { throw .invalid("Policy missing expiration.") }
        guard let conditions = members["conditions"] else { throw .invalid("Policy missing conditions.") }
        guard expiration.hasSuffix("Z"), let end = Timestamp(iso8601: expiration) else {
            throw .invalid("Invalid 'expiration' value: '\(expiration)'")
        }
        guard let list = conditions.arrayValue else { throw .invalid("Invalid 'conditions' value: must be a List.") }
        self.expiration = end
        self.conditions = []
        for condition in list { self.conditions.append(try Condition(condition)) }
    }
}

extension OSSPostPolicy.Condition {
    fileprivate init(_ value: JSONValue) throws(OSSError) {
        if let members = value.objectValue {
            guard let (name, value) = members.members.first, members.count == 1 else {
                throw .invalid("Invalid Simple-Condition: Simple-Conditions must have exactly one property specified.")
            }
            guard let text = value.stringValue else { throw .invalid("Invalid Simple-Condition: value must be a string.") }
            self = .equals(name: "$\(name)", value: text)
            return
        }
        guard let list = value.arrayValue else { throw .invalid("Invalid condition test: must be a List or Object.") }
        guard let operation = list.first?.stringValue else { throw .invalid("Invalid Condition: missing operation identifier.") }
        let kind = operation.lowercased()
        guard ["eq", "starts-with", "in", "not-in", "content-length-range"].contains(kind) else {
            throw .invalid("Invalid Condition: unknown operation '\(operation)'.")
        }
        guard list.count == 3 else { throw .invalid("Invalid \(operation): wrong number of arguments.") }
        if kind == "content-length-range" {
            guard let least = Self.number(list[1]), let most = Self.number(list[2]), 0 <= least, least <= most else {
                throw .invalid("Invalid content-length-range: the limits must be whole numbers, the lesser first.")
            }
            self = .contentLength(least...most)
            return
        }
        guard let name = list[1].stringValue, name.hasPrefix("$") else {
            throw .invalid("Invalid \(operation): the name of a field must begin with '$'.")
        }
        if kind == "in" || kind == "not-in" {
            guard let values = list[2].arrayValue, values.allSatisfy({ $0.stringValue != nil }) else {
                throw .invalid("Invalid \(operation): the values must be a List of strings.")
            }
            let texts = values.compactMap(\.stringValue)
            self = kind == "in" ? .isAmong(name: name, values: texts) : .isNotAmong(name: name, values: texts)
            return
        }
        guard let text = list[2].stringValue else { throw .invalid("Invalid \(operation): the value must be a string.") }
        self = kind == "eq" ? .equals(name: name, value: text) : .startsWith(name: name, prefix: text)
    }

    /// A whole number, or a text of one.
    private static func number(_ value: JSONValue) -> Int64? { value.integerValue ?? value.stringValue.flatMap { Int64(digits: $0) } }
}

extension String.UTF8View {
    fileprivate func isAmong(_ values: [String]) -> Bool { values.contains { elementsEqual($0.utf8) } }
}

extension OSSError {
    fileprivate static func policy(_ text: String) -> OSSError { OSSError(.accessDenied, "Invalid according to Policy: \(text)") }

    fileprivate static func invalid(_ text: String) -> OSSError { OSSError(.invalidPolicyDocument, "Invalid Policy: \(text)") }
}
