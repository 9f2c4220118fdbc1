import Federation
import ObjectServing
import WireFormats

/// The policy document of a form: until when it may be posted, and with what fields.
/// (S3 API Reference, "POST Policy".)
struct PostPolicy: Equatable {
    enum Condition: Equatable {
        /// The name with its `$`, as written.
        case equals(name: String, value: String)
        case startsWith(name: String, prefix: String)
        case contentLength(ClosedRange<Int64>)
        /// A range whose limits are no numbers: nothing is in it.
        case noContentLength(String, String)
    }

    var expiration: Timestamp
    var conditions: [Condition]

    /// Holds a form against the policy. The length of the file is a matter of its content.
    /// - Parameters:
    ///   - key: with the name of the file put in.
    ///   - isExpired: whether the expiration has come.
    ///   - dialect: whose exceptions from naming every field count.
    /// - Throws: `AccessDenied`.
    func check(
        _ form: PostedForm, bucket: String, key: String, isExpired: Bool, dialect: Dialect = .aws
    ) throws(S3Error) {
        guard !isExpired else { throw .policy("Policy expired.") }
        var covered: Set<String> = []
        for condition in conditions {
            let holds: Bool
            switch condition {
            case .equals(let name, let value):
                let name = Self.field(name)
                covered.insert(name ?? "")
                holds = name.flatMap { Self.value(of: $0, form, bucket, key) } == value
            case .startsWith(let name, let prefix):
                let name = Self.field(name)
                covered.insert(name ?? "")
                holds = name.map { Self.value(of: $0, form, bucket, key, begins: prefix, dialect) } ?? false
            case .contentLength: holds = true
            case .noContentLength: holds = false
            }
            guard holds else { throw .policy("Policy Condition failed: \(condition.text)") }
        }
        var extra = form.fields.map(\.name).filter {
            !covered.contains($0.lowercased()) && !Self.isExempt($0.lowercased(), dialect)
        }
        if !covered.contains("bucket"), form["bucket"] == nil { extra.insert("bucket", at: 0) }
        guard extra.isEmpty else { throw .policy("Extra input fields: \(extra.joined(separator: ", "))") }
    }

    /// How many bytes the file may have, of what S3 takes at all.
    func contentLength(upTo maximum: Int64) -> (least: Int64, most: Int64) {
        conditions.reduce((0, maximum)) { limits, condition in
            guard case .contentLength(let range) = condition else { return limits }
            return (max(limits.0, range.lowerBound), min(limits.1, range.upperBound))
        }
    }

    /// The field that a condition names, in lowercase; nothing where the `$` is missing.
    private static func field(_ name: String) -> String? {
        name.hasPrefix("$") ? name.dropFirst().lowercased() : nil
    }

    private static func value(of name: String, _ form: PostedForm, _ bucket: String, _ key: String) -> String? {
        switch name {
        // The address decides, whatever a field says.
        case "bucket": bucket
        case "key": key
        default: form[name]
        }
    }

    private static func value(
        of name: String, _ form: PostedForm, _ bucket: String, _ key: String, begins prefix: String, _ dialect: Dialect
    ) -> Bool {
        guard let value = value(of: name, form, bucket, key) else {
            // Every field must be there, be it empty.
            return dialect == .ceph && prefix.isEmpty && name.hasPrefix("x-amz-server-side-encryption")
        }
        guard name == "content-type", value.contains(",") else { return value.hasPrefix(prefix) }
        return value.split(separator: ",").allSatisfy { $0.drop { $0 == " " }.hasPrefix(prefix) }
    }

    /// Fields that no condition need name.
    private static func isExempt(_ name: String, _ dialect: Dialect) -> Bool {
        switch name {
        case "awsaccesskeyid", "file", "policy", "signature", "x-amz-signature": true
        default: name.hasPrefix("x-ignore-") || dialect == .ceph && name.hasPrefix("x-amz-checksum-")
        }
    }
}

extension PostPolicy.Condition {
    /// As the refusal shows it: every condition as a list.
    fileprivate var text: String {
        let parts =
            switch self {
            case .equals(let name, let value): ["eq", name, value]
            case .startsWith(let name, let prefix): ["starts-with", name, prefix]
            case .contentLength(let range): ["content-length-range", String(range.lowerBound), String(range.upperBound)]
            case .noContentLength(let least, let most): ["content-length-range", least, most]
            }
        return "[" + parts.map { JSONValue.string($0).serialized() }.joined(separator: ", ") + "]"
    }
}

extension S3Error {
    fileprivate static func policy(_ text: String) -> S3Error { S3Error(.accessDenied, "Invalid according to Policy: \(text)") }
}
