import ObjectServing
import WireFormats

extension PostPolicy {
    /// Reads the field `policy` of a form for OSS.
    /// - Throws: `InvalidPolicyDocument`.
    init(oss text: String) throws(OSSError) {
        do { self = try PostPolicy(base64: text, of: .oss) } catch {
            throw OSSError(.invalidPolicyDocument, "Invalid Policy: \(error.message)")
        }
    }

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
            case .noContentLength: holds = false
            }
            guard holds else { throw .policy("Policy Condition failed: \(condition.text(of: .oss))") }
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

extension String.UTF8View {
    fileprivate func isAmong(_ values: [String]) -> Bool { values.contains { elementsEqual($0.utf8) } }
}

extension OSSError {
    fileprivate static func policy(_ text: String) -> OSSError { OSSError(.accessDenied, "Invalid according to Policy: \(text)") }
}
