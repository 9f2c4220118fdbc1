import Cloud

extension S3Error {
    /// Returns the error for an invalid version ID.
    static func invalidVersionID(_ text: String) -> S3Error {
        .invalidArgument("Invalid version id specified", name: "versionId", value: text)
    }

    static func noSuchVersion(_ key: String, _ version: String) -> S3Error {
        S3Error(.noSuchVersion, nil, ["Key": key, "VersionId": version])
    }
}
