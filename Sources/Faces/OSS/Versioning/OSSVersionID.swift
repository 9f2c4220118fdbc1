import Cloud
import ObjectServing
import ObjectStore
import WireFormats

/// The version IDs of OSS: opaque text with a common prefix, or `null`.
/// (OSS User Guide, "Versioning".)
enum OSSVersionID {
    private static let beginning = "CAEQ"

    /// Returns the ID of a version.
    static func text(_ version: ObjectVersion, of key: String) -> String {
        version.isNull ? VersionID.null : beginning + VersionID.text(version, of: key)
    }

    /// Returns the version of a key with an ID; `nil` for an invalid ID.
    static func selector(_ text: String, of key: String) -> VersionSelector? {
        if text == VersionID.null { return .null }
        guard text.hasPrefix(beginning) else { return nil }
        let rest = String(text.dropFirst(beginning.count))
        return rest == VersionID.null ? nil : VersionID.selector(rest, of: key)
    }
}

extension OSSError {
    /// Returns the error for an invalid version ID.
    static func invalidVersionID(_ text: String) -> OSSError {
        .invalidArgument("Invalid version id specified", name: "versionId", value: text)
    }

    static func noSuchVersion(_ key: String, _ version: String) -> OSSError {
        OSSError(.noSuchVersion, nil, ["Key": key, "VersionId": version])
    }
}
