import Federation
import ObjectServing
import WireFormats

extension PostPolicy {
    /// Reads the field `policy` of a form for S3.
    /// - Throws: `InvalidPolicyDocument`.
    init(s3 text: String) throws(S3Error) {
        do { self = try PostPolicy(base64: text, of: .s3) } catch {
            throw S3Error(.invalidPolicyDocument, "Invalid Policy: \(error.message)")
        }
    }

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
            // Lists are OSS's.
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

    /// The field that a condition names, in lowercase; `nil` if the `$` is missing.
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

extension S3Error {
    fileprivate static func policy(_ text: String) -> S3Error { S3Error(.accessDenied, "Invalid according to Policy: \(text)") }
}
