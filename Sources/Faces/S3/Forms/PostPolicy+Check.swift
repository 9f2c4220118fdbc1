import Cloud
import Federation
import ObjectServing
import WireFormats

extension PostPolicy {
    /// Parses the form field `policy`.
    /// - Throws: `InvalidPolicyDocument`.
    init(s3 text: String) throws(S3Error) {
        do { self = try PostPolicy(base64: text, of: .s3) } catch {
            throw S3Error(.invalidPolicyDocument, "Invalid Policy: \(error.message)")
        }
    }

    /// Checks the fields of a form against the policy. The length of the file is checked while it is received.
    /// - Parameters:
    ///   - key: the key after `${filename}` has been replaced.
    ///   - isExpired: whether the policy has expired.
    ///   - dialect: decides which fields need no condition.
    /// - Throws: `AccessDenied`.
    func check(
        _ form: PostedForm, bucket: String, key: String, isExpired: Bool, dialect: Dialect = .aws
    ) throws(S3Error) {
        try Self.checkEnd(isExpired: isExpired)
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
            // Conditions that only OSS has.
            case .noContentLength, .isAmong, .isNotAmong: holds = false
            }
            guard holds else { throw .policy("Policy Condition failed: \(condition.text(of: .s3))") }
        }
        var extra = form.fields.map(\.name).filter {
            !covered.contains($0.lowercased()) && !Self.isExempt($0.lowercased(), dialect)
        }
        if !covered.contains("bucket"), form["bucket"] == nil { extra.insert("bucket", at: 0) }
        guard extra.isEmpty else { throw .policy("Extra input fields: \(extra.joined(separator: ", "))") }
    }

    /// - Throws: `AccessDenied` for a policy that has expired.
    static func checkEnd(isExpired: Bool) throws(S3Error) {
        guard !isExpired else { throw .policy("Policy expired.") }
    }

    /// Returns the field that a condition names, in lowercase; `nil` if the `$` is missing.
    private static func field(_ name: String) -> String? {
        name.hasPrefix("$") ? name.dropFirst().lowercased() : nil
    }

    private static func value(of name: String, _ form: PostedForm, _ bucket: String, _ key: String) -> String? {
        switch name {
        // The bucket in the address overrides a field.
        case "bucket": bucket
        case "key": key
        default: form[name]
        }
    }

    private static func value(
        of name: String, _ form: PostedForm, _ bucket: String, _ key: String, begins prefix: String, _ dialect: Dialect
    ) -> Bool {
        guard let value = value(of: name, form, bucket, key) else {
            // Other fields must be present, even if the prefix is empty.
            return dialect == .ceph && prefix.isEmpty && name.hasPrefix("x-amz-server-side-encryption")
        }
        guard name == "content-type", value.contains(",") else { return value.hasPrefix(prefix) }
        return value.split(separator: ",").allSatisfy { $0.drop { $0 == " " }.hasPrefix(prefix) }
    }

    /// Whether the field is allowed without a condition.
    private static func isExempt(_ name: String, _ dialect: Dialect) -> Bool {
        switch name {
        case "awsaccesskeyid", "file", "policy", "signature", "x-amz-signature": true
        default: name.hasPrefix("x-ignore-") || dialect == .ceph && name.hasPrefix("x-amz-checksum-")
        }
    }
}

extension S3Error {
    fileprivate static func policy(_ text: String) -> S3Error { S3Error(.accessDenied, "Invalid according to Policy: \(text)") }
}
