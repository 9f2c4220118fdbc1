import Cloud
import ObjectServing
import ObjectStore

/// How OSS calls a version of an object: by a text that means nothing to clients and begins as all of them do, or `null`.
/// (OSS User Guide, "Versioning".)
enum OSSVersionID {
    private static let beginning = "CAEQ"

    /// The name of a version.
    static func text(_ version: ObjectVersion, of key: String) -> String {
        version.isNull ? VersionID.null : beginning + VersionID.text(version, of: key)
    }

    /// The version of a key that a text names; `nil` for a text that names no version of any key.
    static func selector(_ text: String, of key: String) -> VersionSelector? {
        if text == VersionID.null { return .null }
        guard text.hasPrefix(beginning) else { return nil }
        let rest = String(text.dropFirst(beginning.count))
        return rest == VersionID.null ? nil : VersionID.selector(rest, of: key)
    }
}

extension OSSError {
    /// A text that is the ID of no version.
    static func invalidVersionID(_ text: String) -> OSSError {
        .invalidArgument("Invalid version id specified", name: "versionId", value: text)
    }

    static func noSuchVersion(_ key: String, _ version: String) -> OSSError {
        OSSError(.noSuchVersion, nil, ["Key": key, "VersionId": version])
    }
}
