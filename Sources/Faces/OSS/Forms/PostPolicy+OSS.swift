import Cloud
import ObjectServing
import WireFormats

extension PostPolicy {
    /// Parses the form field `policy`.
    /// - Throws: `InvalidPolicyDocument`.
    init(oss text: String) throws(OSSError) {
        do { self = try PostPolicy(base64: text, of: .oss) } catch {
            throw OSSError(.invalidPolicyDocument, "Invalid Policy: \(error.message)")
        }
    }

    /// Checks the fields of a form against the policy. The length of the file is checked while it is received.
    /// - Parameters:
    ///   - key: the key after `${filename}` has been replaced.
    ///   - isExpired: whether the policy has expired.
    /// - Throws: `AccessDenied`.
    func check(_ form: PostedForm, bucket: String, key: String, isExpired: Bool) throws(OSSError) {
        try Self.checkEnd(isExpired: isExpired)
        // Values are compared as bytes, without Unicode equivalence.
        func bytes(_ name: String) -> String.UTF8View? { Self.value(of: name, form, bucket, key)?.utf8 }
        for condition in conditions {
            let holds: Bool
            switch condition {
            case .equals(let name, let value): holds = bytes(name).map { $0.elementsEqual(value.utf8) } ?? false
            case .startsWith(let name, let prefix): holds = bytes(name).map { $0.starts(with: prefix.utf8) } ?? prefix.isEmpty
            case .isAmong(let name, let values): holds = bytes(name).map { $0.isAmong(values) } ?? false
            case .isNotAmong(let name, let values): holds = bytes(name).map { !$0.isAmong(values) } ?? true
            case .contentLength: holds = true
            case .noContentLength: holds = false
            }
            guard holds else { throw .policy("Policy Condition failed: \(condition.text(of: .oss))") }
        }
    }

    /// - Throws: `AccessDenied` for a policy that has expired.
    static func checkEnd(isExpired: Bool) throws(OSSError) {
        guard !isExpired else { throw .policy("Policy expired.") }
    }

    /// Returns the value of a form field.
    /// - Parameter name: the name with its `$`; other names have no value.
    private static func value(of name: String, _ form: PostedForm, _ bucket: String, _ key: String) -> String? {
        guard name.hasPrefix("$") else { return nil }
        return switch name.dropFirst().lowercased() {
        // The bucket in the address overrides a field.
        case "bucket": bucket
        case "key": key
        case "content-type": form["content-type"] ?? form["x-oss-content-type"] ?? form.fileType
        case let name: form[name]
        }
    }
}

extension String.UTF8View {
    fileprivate func isAmong(_ values: [String]) -> Bool { values.contains { elementsEqual($0.utf8) } }
}

extension OSSError {
    fileprivate static func policy(_ text: String) -> OSSError { OSSError(.accessDenied, "Invalid according to Policy: \(text)") }
}
